//! Namespaces within namespaces, directives and declarations that bring names, and calls that show what is found.
//!
//! Each overload of a name takes another class of one chain of bases, so that a call with the last of them is never wrong: it
//! chooses the most derived one of what is visible. The classes are in a namespace of their own, where look-up by arguments
//! finds only what is put there.

use crate::Rng;
use std::fmt::Write as _;

/// How many classes there are in the chain.
const CLASSES: usize = 16;

/// The names of functions.
const FUNCTIONS: [&str; 2] = ["f", "g"];

/// A namespace so far.
struct Space {
    /// Its name as seen from the topic's namespace.
    path: String,
    inline: bool,
    /// Which functions it declares itself.
    own: [bool; 2],
}

struct Maker<'a> {
    rng: &'a mut Rng,
    out: String,
    spaces: Vec<Space>,
    /// The classes that no overload of a name takes yet.
    free: [Vec<usize>; 2],
    /// Expressions that show what a call found.
    probes: Vec<String>,
    named: usize,
    /// Whether functions are put beside the classes after calls of their names. Calls in templates depend on the parameters then:
    /// unspool lets the others find such functions too, which C++ does not.
    later: bool,
}

/// Look-up of functions from everywhere.
pub(super) fn lookup(rng: &mut Rng) -> String {
    let mut out = "namespace cls { struct D0 {};".to_owned();
    for n in 1..CLASSES {
        let _ = write!(out, " struct D{n} : D{} {{}};", n - 1);
    }
    let mut free = [(1..CLASSES).collect::<Vec<_>>(), (1..CLASSES).collect()];
    if rng.chance(30) {
        let k = free[0].remove(rng.below(CLASSES - 1));
        let _ = write!(out, " DEV int f(D{k}) {{ return {k}; }}");
    }
    out += " }\nDEV int f(cls::D0) { return 0; }\nDEV int g(cls::D0) { return 0; }\n";
    let spaces = vec![Space { path: String::new(), inline: false, own: [true; 2] }];
    let later = rng.chance(40);
    let mut maker = Maker { rng, out, spaces, free, probes: Vec::new(), named: 0, later };
    maker.members(0, 0);
    let mut out = maker.out;
    out += "DEV void run(Out &o) {\n";
    for p in maker.probes {
        let _ = writeln!(out, "  P({p});");
    }
    out + "}\n"
}

impl Maker<'_> {
    /// Members of a namespace that is `depth` deep.
    fn members(&mut self, space: usize, depth: usize) {
        for _ in 0..3 + self.rng.below(6) {
            match self.rng.below(10) {
                0 | 1 => self.function(space),
                2 | 3 if depth < 3 => self.namespace(space, depth),
                4 => self.directive(),
                5 => self.declaration(space),
                6 if depth == 0 && self.later => self.associated(),
                _ => self.probe(space),
            }
        }
    }

    fn name(&mut self) -> usize {
        self.named += 1;
        self.named
    }

    /// One of the functions, and its place among [`FUNCTIONS`].
    fn which(&mut self) -> (usize, &'static str) {
        let i = self.rng.below(FUNCTIONS.len());
        (i, FUNCTIONS[i])
    }

    fn function(&mut self, space: usize) {
        let (i, name) = self.which();
        if self.free[i].is_empty() {
            return;
        }
        let at = self.rng.below(self.free[i].len());
        let k = self.free[i].remove(at);
        self.spaces[space].own[i] = true;
        let _ = writeln!(self.out, "DEV int {name}(cls::D{k}) {{ return {k}; }}");
    }

    /// An overload beside the classes, which look-up by arguments finds from here on.
    fn associated(&mut self) {
        let (i, name) = self.which();
        if let Some(k) = self.free[i].pop() {
            let _ = writeln!(self.out, "namespace cls {{ DEV int {name}(D{k}) {{ return {k}; }} }}");
        }
    }

    fn namespace(&mut self, around: usize, depth: usize) {
        let inner =
            |s: &Space, of: &Space| s.path.strip_prefix(of.path.as_str()).is_some_and(|r| r.matches("::").count() == 1);
        let again = self.spaces.iter().skip(1).position(|s| inner(s, &self.spaces[around]));
        let space = match again {
            Some(known) if self.rng.chance(40) => known + 1,
            _ => {
                let name = self.name();
                let path = format!("{}n{name}::", self.spaces[around].path);
                self.spaces.push(Space { path, inline: self.rng.chance(20), own: [false; 2] });
                self.spaces.len() - 1
            }
        };
        let s = &self.spaces[space];
        let name = s.path.trim_end_matches("::").rsplit("::").next().unwrap_or_default();
        let _ = writeln!(self.out, "{}namespace {name} {{", if s.inline { "inline " } else { "" });
        self.members(space, depth + 1);
        self.out += "}\n";
    }

    /// `using namespace …;`, of any but the outermost.
    fn nominated(&mut self) -> Option<String> {
        let others = self.spaces.len().checked_sub(1).filter(|&n| n > 0)?;
        let s = &self.spaces[1 + self.rng.below(others)];
        Some(format!("using namespace {};", s.path.trim_end_matches("::")))
    }

    fn directive(&mut self) {
        if let Some(text) = self.nominated() {
            self.out += &text;
            self.out.push('\n');
        }
    }

    /// The name of a function that a namespace has, with that before it.
    fn qualified(&mut self) -> Option<(usize, String)> {
        let (i, name) = self.which();
        let having: Vec<&str> = self.spaces.iter().skip(1).filter(|s| s.own[i]).map(|s| s.path.as_str()).collect();
        (!having.is_empty()).then(|| (i, format!("{}{name}", self.rng.pick(&having))))
    }

    fn declaration(&mut self, space: usize) {
        if let Some((i, name)) = self.qualified() {
            self.spaces[space].own[i] = true;
            let _ = writeln!(self.out, "using {name};");
        }
    }

    /// A call somewhere in a namespace.
    fn probe(&mut self, space: usize) {
        let (_, name) = self.which();
        let last = CLASSES - 1;
        let call = match self.qualified() {
            Some((_, qualified)) if self.rng.chance(20) => format!("{qualified}(cls::D{last}())"),
            _ => format!("{name}(cls::D{last}())"),
        };
        let n = self.name();
        let path = self.spaces[space].path.clone();
        let (before, after) = match self.nominated() {
            Some(d) if self.rng.chance(50) => {
                if self.rng.chance(70) {
                    (d, String::new())
                } else {
                    (String::new(), d)
                }
            }
            _ => (String::new(), String::new()),
        };
        let in_template = if self.later { format!("{name}(t)") } else { call.clone() };
        let own = format!("DEV int f(cls::D{}) const {{ return 100; }}", self.rng.below(CLASSES));
        let (text, shown) = match self.rng.below(9) {
            0 => (format!("DEV int p{n}() {{ {before} return {call}; {after} }}"), format!("@p{n}()")),
            1 => (
                format!(
                    "DEV int p{n}() {{ int r = {call}; {{ {before} r = r * 100 + {call}; {after} }} return r * 100 + {call}; }}"
                ),
                format!("@p{n}()"),
            ),
            2 => (
                format!(
                    "DEV int p{n}() {{ {before} auto l = [](int x) {{ return x + {call}; }}; {after} return l(1); }}"
                ),
                format!("@p{n}()"),
            ),
            3 => (
                format!(
                    "DEV int p{n}() {{ {before} struct L {{ int v = {call}; DEV int m() {{ return v * 100 + {call}; }} }}; {after} return L().m(); }}"
                ),
                format!("@p{n}()"),
            ),
            4 => (format!("DEV int p{n}(int a = {call}) {{ return a; }}"), format!("@p{n}()")),
            5 => (
                format!(
                    "template <class T> DEV int p{n}(T t) {{ {before} int r = {name}(t); {after} return r * 100 + {in_template}; }}"
                ),
                format!("@p{n}(cls::D{last}())"),
            ),
            6 => (
                format!(
                    "struct C{n} {{ int v = {call}; DEV int m() {{ {before} return {call}; }} DEV int s(int a = {call}) {{ return a; }} }};"
                ),
                format!("@C{n}().v * 10000 + @C{n}().s() * 100 + @C{n}().m()"),
            ),
            7 => (
                format!(
                    "struct C{n} {{ DEV int m() const {{ {before} return f(cls::D{last}()) * 100 + {call}; }} {own} }};"
                ),
                format!("@C{n}().m()"),
            ),
            _ => (
                format!(
                    "template <class T> struct C{n} {{ T t; DEV int m() {{ {before} return {name}(t) * 100 + {in_template}; }} }};"
                ),
                format!("@C{n}<cls::D{last}>().m()"),
            ),
        };
        self.out += &text;
        self.out.push('\n');
        self.probes.push(shown.replace('@', &path));
    }
}
