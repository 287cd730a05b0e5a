//! The text for the host's compiler.

mod code;
pub(crate) mod items;

use crate::data;
use crate::edit::Edits;
use crate::fixed::is_fixed;
use crate::info::Info;
use crate::region::{self, Region};
use crate::routine::RoutineSource;
use crate::scope::{Scopes, Site};
use crate::sources::{self, Declarations};
use crate::unit::Unit;
use directives::{Clause, ClauseKind, DeviceClass, Directive, Kind};
use rustc_hash::FxHashSet;
use source::{Diagnostic, Session, SourceError};
use std::collections::BTreeSet;
use std::fmt::Write;

use crate::kernel::positions;
use code::left;
pub use code::{
    Entry, GpuCode, ITEMS, KernelCode, KernelSource, LOCAL, LOCAL_SHARING, Layout, NARROW, SHARING, is_for_overlaps,
};

/// How to translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of the device that programs use if nobody says another: `acc_device_t` of `openacc.h`.
    pub device: i32,
    /// The number of the device where programs for GPUs run if there is none.
    pub fallback: i32,
    /// Kernels become code for NVIDIA GPUs, too.
    pub gpu: bool,
    /// What the names of kernels begin with: one prefix for each object file.
    pub prefix: String,
    /// Subscripts in kernels are checked (`-Mbounds`).
    pub checked: bool,
    /// What lies in memory is accessed by its type alone (C11 6.5p7): not with `-fno-strict-aliasing`.
    pub typed_memory: bool,
}

impl Options {
    /// The type of device whose clauses decide what kernels are.
    fn class(&self) -> DeviceClass {
        let of = |c: &DeviceClass| c.number() == self.device;
        match self.gpu {
            true => DeviceClass::Nvidia,
            false => DeviceClass::ALL.into_iter().find(of).unwrap_or(DeviceClass::Multicore),
        }
    }
}

/// What the texts of the host's compiler begin with: what the run-time library is.
pub const PRELUDE: &str = include_str!("prelude.h");

/// What makes machine code of kernels; an error says in words why it cannot.
pub type Compile<'a> = dyn FnMut(&KernelSource) -> Result<KernelCode, String> + 'a;

/// What a file became.
#[derive(Debug, Default)]
pub struct Translation {
    /// For the host's compiler, preprocessed.
    pub text: String,
    /// Messages of `-Minfo`, by function in the order of the text.
    pub info: Vec<(String, Vec<Info>)>,
    /// What is wrong with directives.
    pub session: Session,
    /// How many regions there are, and how many of them are left to the host.
    pub regions: (usize, usize),
    /// Each directive: asked, done, why.
    pub told: Vec<crate::explain::Told>,
    /// The functions that regions of other files may call.
    pub routines: Vec<RoutineSource>,
    /// Names of the functions that the file defines.
    pub defined: Vec<String>,
}

/// Translates a preprocessed file.
///
/// # Errors
/// The file is too large.
pub fn translate(
    name: &str,
    text: String,
    options: &Options,
    compile: &mut Compile<'_>,
) -> Result<Translation, SourceError> {
    let mut unit = Unit::new(name, text)?;
    let mut scopes = Scopes::of(&unit, options.class());
    if let Some(text) = crate::apart::taken_apart(&unit, &scopes) {
        unit = Unit::new(name, text)?;
        scopes = Scopes::of(&unit, options.class());
    }
    // What the parser does not know is for the host's compiler to judge.
    drop(std::mem::take(&mut unit.session.diagnostics));
    let parents = crate::access::parents(&unit);
    let wrong = crate::rules::check(&unit, &scopes);
    // Nobody runs what has errors: of its regions there are warnings, and no code.
    let is_error = |d: &Diagnostic| d.severity == source::Severity::Error;
    let mut no_code = |source: &KernelSource| {
        Ok(KernelCode { symbols: vec!["__unspool_none".to_owned(); source.entries.len()], ..KernelCode::default() })
    };
    let compile = if scopes.said.iter().chain(&wrong).any(is_error) { &mut no_code } else { compile };
    let mut host = Host {
        unit: &unit,
        scopes: &scopes,
        parents: &parents,
        options,
        compile,
        edits: Edits::default(),
        kernels: String::new(),
        layouts: BTreeSet::new(),
        info: Vec::new(),
        regions: (0, 0),
        inside: Vec::new(),
        said: Vec::new(),
        by_site: vec![Default::default(); scopes.sites.len()],
        answers: region::cached::Answers::default(),
        routines: Vec::new(),
    };
    host.all();
    host.routines();
    let told = crate::explain::all(&unit, &scopes, &host.by_site, &host.answers);
    let routines = host.routines;
    let (edits, kernels, info, regions, mut said) = (host.edits, host.kernels, host.info, host.regions, host.said);
    let mut layouts: String = host.layouts.iter().map(Layout::asserted).collect();
    if !layouts.is_empty() {
        layouts.insert_str(0, "\n# 1 \"<unspool>\" 3\n");
    }
    crate::operands::forget_the_host(scopes.said.iter().chain(&wrong), &mut said);
    let body = edits.apply(&unit.text, 0..unit.text.len());
    let hello = format!(
        "static void __attribute__((constructor, unused)) __unspool_acc_hello(void) {{ __unspool_acc_compiled({}, {}); }}\n",
        options.device, options.fallback
    );
    // As a system header: the host's compiler warns of what the user wrote.
    let text = format!("# 1 \"<unspool>\" 3\n{PRELUDE}{hello}{kernels}{body}{layouts}");
    crate::rules::in_order(scopes.said.into_iter().chain(wrong).chain(said)).for_each(|d| unit.session.report(d));
    let defined = unit.defined_functions();
    Ok(Translation { text, info, session: unit.session, regions, told, routines, defined })
}

/// Flags of a construct, as the run-time library has them.
const HAS_CODE: u32 = 1;
const CHECKED: u32 = 8;
const HAS_GPU_CODE: u32 = 16;
const CALLS_OTHERS: u32 = 32;

/// A region's functions, and what became of those for GPUs if they were asked for.
struct Made {
    entries: Vec<Entry>,
    gpu: Option<Result<GpuCode, String>>,
    /// The link makes them.
    later: bool,
    /// C that does not compile where the host has types of the function elsewhere in memory.
    asserted: String,
}

/// Puts what kernels need of a GPU behind what was told about their loops.
fn tell_needs(info: &mut Vec<Info>, entries: &[Entry], needs: &[String]) {
    for (e, text) in entries.iter().zip(needs) {
        if text.is_empty() || e.is_for_overlaps() {
            continue;
        }
        let at = info.iter().rposition(|i| i.line == e.line).map_or(info.len(), |n| n + 1);
        info.insert(at, Info { line: e.line, text: text.clone() });
    }
}

/// What a directive says as an expression of the host, which asks for the device where that makes a difference.
pub(crate) fn by_device(site: &Site, text: impl Fn(&Directive) -> String) -> String {
    let mine = text(&site.directive);
    if site.written.device_types.is_empty() {
        return mine;
    }
    DeviceClass::ALL.iter().rev().fold(mine.clone(), |rest, &class| {
        let own = text(&site.written.for_device(class));
        if own == rest {
            rest
        } else {
            format!("(__unspool_acc_kind(&__unspool_s) == {} ? {own} : {rest})", class.number())
        }
    })
}

struct Host<'a, 'c> {
    unit: &'a Unit,
    scopes: &'a Scopes,
    parents: &'a rustc_hash::FxHashMap<syntax::ast::ExprId, syntax::ast::ExprId>,
    options: &'a Options,
    compile: &'a mut Compile<'c>,
    edits: Edits,
    kernels: String,
    /// How types at file scope lie in memory for kernels.
    layouts: BTreeSet<Layout>,
    info: Vec<(String, Vec<Info>)>,
    regions: (usize, usize),
    /// Ranges of compute constructs: directives in them are theirs.
    inside: Vec<std::ops::Range<usize>>,
    /// Warnings.
    said: Vec<Diagnostic>,
    /// What was told about each directive, and why its region is left to the host if it is.
    by_site: Vec<(Vec<Info>, Option<String>)>,
    /// What became of `cache` directives.
    answers: region::cached::Answers,
    routines: Vec<RoutineSource>,
}

impl Host<'_, '_> {
    fn all(&mut self) {
        for i in 0..self.scopes.sites.len() {
            let site = &self.scopes.sites[i];
            let line = site.directive.span.clone();
            if self.inside.iter().any(|r| r.contains(&line.start)) {
                self.edits.replace(line, String::new());
                continue;
            }
            if site.function.is_empty() && !matches!(site.directive.kind, Kind::Declare | Kind::Routine) {
                let what = site.directive.kind.words();
                // Transfers have a meaning there that can be guessed: that of `declare`, before `main`.
                let runs = matches!(site.directive.kind, Kind::Update | Kind::EnterData);
                let does = if runs { "runs once, before `main`" } else { "does nothing" };
                let d = Diagnostic::warning(
                    "W0804",
                    self.unit.span(&line),
                    format!("`{what}` outside of a function {does}"),
                )
                .group("unknown-pragmas")
                .help(
                    "write it into the function that is to run it; for data at file scope there is `declare`"
                        .to_owned(),
                );
                self.said.push(d);
                if runs {
                    self.transfer(i);
                    let head = format!("static void __attribute__((constructor)) __unspool_early_{i}(void) ");
                    self.edits.insert(line.start, head);
                } else {
                    self.edits.replace(line, String::new());
                }
                continue;
            }
            match site.directive.kind {
                // A statement without its `;`: the host's compiler says so, and shall say it of what the user wrote.
                _ if site.target.is_some_and(|t| !self.unit.slice(self.unit.ast[t].span).ends_with([';', '}'])) => {
                    self.edits.replace(line, String::new());
                }
                k if region::construct(k).is_some() => self.compute(i),
                Kind::Data | Kind::DataRegion => self.data(i),
                Kind::HostData => self.host_data(i),
                Kind::EnterData | Kind::ExitData | Kind::Update => self.transfer(i),
                Kind::Declare => self.declare(i),
                Kind::Wait => self.wait(i),
                Kind::Init | Kind::Shutdown | Kind::Set => self.control(i),
                // Hints to kernels, which a host has no use for; `routine` is found when a kernel calls the function.
                _ => self.edits.replace(line, String::new()),
            }
        }
    }

    /// The functions of this file that `routine` names, for regions of others.
    fn routines(&mut self) {
        for (at, line, made) in crate::routine::sources(self.unit, self.scopes) {
            let site = &mut self.by_site[at];
            if let Some(r) = &made.source {
                self.routines.push(r.clone());
            }
            let info = Info { line, text: made.text };
            site.0.push(info.clone());
            self.tell(&made.function, vec![info]);
        }
    }

    fn warn(&mut self, w: &region::Warning) {
        let at = self.unit.span(&w.at);
        let d = match w.rule {
            Some(code) => Diagnostic::error(code, at, w.text.clone()),
            None => Diagnostic::warning("W0803", at, w.text.clone()).group("unknown-pragmas"),
        };
        self.said.push(d.help(w.help.to_owned()));
    }

    fn tell(&mut self, function: &str, info: Vec<Info>) {
        match self.info.iter_mut().find(|(f, _)| f == function) {
            Some((_, list)) => list.extend(info),
            None => self.info.push((function.to_owned(), info)),
        }
    }

    /// The declaration that says where a construct stands.
    fn site(&self, site: &Site, flags: u32) -> String {
        let (line, file) = self.unit.line(site.directive.span.start);
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        let (function, kind) = (&site.function, crate::events::construct_number(site.directive.kind));
        let device = self.options.device;
        format!(
            "static const struct __unspool_acc_site __unspool_s = {{ \"{file}\", \"{function}\", {line}, {kind}, {device}, {flags} }}; "
        )
    }

    fn operand(&self, c: Option<&Clause>) -> Option<String> {
        c.and_then(|c| c.operands.first()).map(|o| self.unit.text[o.text.clone()].to_owned())
    }

    /// `if`, `self`, `async` and `wait`.
    fn clauses(&self, site: &Site) -> String {
        let d = &site.directive;
        let condition = self.operand(d.clause(ClauseKind::If)).map_or("1".to_owned(), |t| format!("(({t}) != 0)"));
        let own = match d.clause(ClauseKind::SelfClause) {
            Some(c) if d.kind != Kind::Update => {
                self.operand(Some(c)).map_or("1".to_owned(), |t| format!("(({t}) != 0)"))
            }
            _ => "0".to_owned(),
        };
        let has_async = by_device(site, |d| u8::from(d.has(ClauseKind::Async)).to_string());
        let queue = by_device(site, |d| match d.clause(ClauseKind::Async) {
            Some(c) => self.operand(Some(c)).map_or("-1L".to_owned(), |t| format!("(long)({t})")),
            None => "0".to_owned(),
        });
        // To wait for what is for another device does no harm.
        let d = &site.written;
        let waits: Vec<String> = d
            .all(ClauseKind::Wait)
            .flat_map(|c| &c.operands)
            .map(|o| format!("(long)({})", &self.unit.text[o.text.clone()]))
            .collect();
        let all = u8::from(d.has(ClauseKind::Wait) && waits.is_empty() || d.kind == Kind::Wait && waits.is_empty());
        let list = if waits.is_empty() { "0".to_owned() } else { format!("(const long[]){{ {} }}", waits.join(", ")) };
        let fields = [condition, has_async, queue, all.to_string(), waits.len().to_string(), list, own];
        let lasts = if fields.iter().all(|f| is_fixed(f, &|_| false)) { "static " } else { "" };
        format!("{lasts}const struct __unspool_acc_clauses __unspool_c = {{ {} }}; ", fields.join(", "))
    }

    /// Names what stands in clauses that no code of the host looks at: it is used, for warnings about what is not.
    fn used(&self, site: &Site) -> String {
        use ClauseKind::{Gang, NumGangs, NumWorkers, Vector, VectorLength, Worker};
        let sizes = site
            .directive
            .clauses
            .iter()
            .filter(|c| matches!(c.kind, Gang | NumGangs | NumWorkers | Vector | VectorLength | Worker));
        let texts = sizes.flat_map(|c| &c.operands).map(|o| &self.unit.text[o.text.clone()]);
        texts.filter(|t| crate::unit::words(t).next().is_some()).map(|t| format!("(void)sizeof({t}); ")).collect()
    }

    fn items(&self, items: &[data::Item]) -> String {
        items::declare(self.unit, self.scopes, items)
    }

    fn compute(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        self.regions.0 += 1;
        if let Some(t) = site.target {
            self.inside.push(self.unit.range(self.unit.ast[t].span));
        }
        let prefix = format!("{}_{}", self.options.prefix, i);
        let compiled = region::compile(self.unit, self.scopes, self.parents, i, &prefix, self.options);
        let made = match compiled {
            Ok(r) => {
                r.warnings.iter().for_each(|w| self.warn(w));
                match self.code(&r) {
                    Ok(made) => Ok((r, made)),
                    Err(why) => Err((r.info, why)),
                }
            }
            Err(e) => Err(e),
        };
        let function = site.function.clone();
        let (line, _) = self.unit.line(site.directive.span.start);
        let mut flags = if self.options.checked { CHECKED } else { 0 };
        let range = site.target.map(|t| self.unit.range(self.unit.ast[t].span));
        if range.is_some_and(|r| crate::told::calls_others(self.unit, self.scopes, &r)) {
            flags |= CALLS_OTHERS;
        }
        let (mut choice, mut prologue) = (None, String::new());
        let (items, launches, info) = match made {
            Ok((mut r, Made { entries, gpu, later, asserted })) => {
                choice = entries.first().filter(|_| later).map(|e| left(&e.name));
                let launches: String = r.kernels.iter().map(|k| k.launch.as_str()).collect();
                flags |= HAS_CODE;
                self.answers.extend(std::mem::take(&mut r.answers));
                prologue = asserted + &r.prologue;
                match gpu {
                    Some(Ok(gpu)) => {
                        flags |= HAS_GPU_CODE;
                        tell_needs(&mut r.info, &entries, &gpu.needs);
                    }
                    Some(Err(why)) => {
                        let text = format!("Accelerator restriction: no NVIDIA GPU code: {why}");
                        r.info.push(Info { line, text });
                    }
                    None => {}
                }
                (r.items, Some(launches), r.info)
            }
            Err((mut info, why)) => {
                self.regions.1 += 1;
                self.said.extend(crate::operands::left_to_the_host(self.unit, site, &why));
                self.by_site[i].1 = Some(why.clone());
                info.retain(|i| {
                    let about_loops = i.text.contains("restriction") || i.text.contains("dependence");
                    about_loops && !i.text.contains("size of the GPU copy")
                });
                info.push(Info { line, text: format!("Accelerator restriction: {why}") });
                info.push(Info { line, text: "Accelerator region ignored".to_owned() });
                (crate::told::fallback_items(self.unit, self.scopes, self.parents, i), None, info)
            }
        };
        self.by_site[i].0.clone_from(&info);
        self.tell(&function, info);
        let n = items.len();
        prologue.push_str(&self.used(site));
        let mut text = format!("{{ {prologue}{}{}{}", self.site(site, flags), self.clauses(site), self.items(&items));
        if let Some(left) = &choice {
            // The link knows whether there are kernels.
            let other = self.site(site, flags & !(HAS_CODE | HAS_GPU_CODE)).replace("__unspool_s =", "__unspool_n =");
            let first = self.site(site, flags).replace("__unspool_s =", "__unspool_y =");
            text = format!(
                "{{ {prologue}{first}{other}const struct __unspool_acc_site *const __unspool_p = &{left} ? &__unspool_n : &__unspool_y; {}{}",
                self.clauses(site),
                self.items(&items)
            );
            let _ = writeln!(self.kernels, "extern const int {left} __attribute__((weak));");
        }
        let chosen = |text: String| match &choice {
            Some(_) => text.replace("&__unspool_s,", "__unspool_p,").replace("&__unspool_s)", "__unspool_p)"),
            None => text,
        };
        let enter = format!("__unspool_acc_enter(&__unspool_s, __unspool_i, {n}, &__unspool_c)");
        let own = region::variables::shadows(self.unit, self.scopes, self.parents, i, self.options);
        let open = if own.is_empty() { String::new() } else { format!(" {{ {own}") };
        match launches {
            Some(l) => {
                let _ = write!(text, "if ({enter}) {{ {l}}} else{open}");
            }
            None => {
                let _ = write!(text, "{enter};{open}");
            }
        }
        self.put(site, &chosen(text));
        if let Some(t) = site.target {
            let end = self.unit.range(self.unit.ast[t].span).end;
            let close = if open.is_empty() { "" } else { " }" };
            let exit = format!("{close} __unspool_acc_exit(&__unspool_s, __unspool_i, {n}, &__unspool_c); }}");
            self.edits.insert_after(end, chosen(exit));
        }
    }

    /// Puts code in place of a directive.
    fn put(&mut self, site: &Site, code: &str) {
        self.edits.replace(site.directive.span.clone(), self.unit.generated(&site.directive.span, code));
    }

    /// Compiles a region's kernels and declares them to the host; what they are, and what became of those for GPUs.
    fn code(&mut self, r: &Region) -> Result<Made, String> {
        let needs = r.kernels.iter().flat_map(|k| &k.needs);
        let meant = sources::names_meant(self.scopes, &r.range);
        let is_meant = |n: &&String| {
            let ours = positions::NAMES.contains(&n.as_str());
            !ours && (!sources::is_function(self.unit, n) || meant.contains(n.as_str()))
        };
        let needs: FxHashSet<String> = needs.filter(is_meant).cloned().collect();
        let declarations = Declarations::of(self.unit, self.scopes, needs, r.at, None)?;
        let mut text = sources::with_library(self.unit, declarations.text);
        if positions::is_asked(&text) {
            text.insert_str(0, &positions::of_functions());
        }
        text.push_str("static long __unspool_acc_trip(long span, long step) { return step > 0 && span >= step ? span / step : 0; }\n");
        if self.options.checked {
            text.push_str(crate::checks::FUNCTION);
        }
        let mut entries = Vec::new();
        for k in &r.kernels {
            text.push_str(&k.text);
            entries.extend(k.entries.iter().cloned());
        }
        let at = self.unit.line(r.at);
        let place = format!("{}:{}", at.1, at.0);
        let (externals, types) = (declarations.externals, declarations.types);
        let [of_file, of_function] = declarations.defined;
        let defined = [&of_file[..], &of_function].concat();
        let source = KernelSource { text, entries: entries.clone(), externals, place, types, defined };
        let mut code = (self.compile)(&source).map_err(|why| sources::explained(self.unit, why))?;
        let mut asserted = String::new();
        for layout in std::mem::take(&mut code.layouts) {
            if of_function.contains(&layout.name) {
                asserted.push_str(&layout.asserted());
            } else {
                self.layouts.insert(layout);
            }
        }
        let image = match &code.gpu {
            Some(Ok(gpu)) if code.later => {
                let name = source.image();
                let _ = writeln!(self.kernels, "extern const struct __unspool_acc_image {name} __attribute__((weak));");
                debug_assert!(gpu.ptx.is_empty(), "code that is made later");
                format!("&{name}")
            }
            Some(Ok(gpu)) => {
                self.kernels.push_str(&gpu.declaration(&source.image(), true));
                format!("&{}", source.image())
            }
            _ => "0".to_owned(),
        };
        // What the link makes is not there where something else links: then the run-time library says so.
        let weak = if code.later { " __attribute__((weak))" } else { "" };
        for (n, e) in entries.iter().enumerate() {
            let name = &e.name;
            let function = match code.symbols.get(n) {
                Some(symbol) => {
                    let _ =
                        writeln!(self.kernels, "extern void {name}__c(void *, void *) __asm__(\"{symbol}\"){weak};");
                    format!("{name}__c")
                }
                None => "0".to_owned(),
            };
            let (line, local, bases, block) = (e.line, e.local, e.bases, e.block);
            let (rows, team, by_columns) = (e.rows, u8::from(e.team), u8::from(e.by_columns));
            let _ = writeln!(
                self.kernels,
                "static const struct __unspool_acc_kernel {name}__d = {{ {function}, \"{name}\", {image}, {line}, {local}, {bases}, {block}, {rows}, {team}, {by_columns} }};"
            );
        }
        Ok(Made { entries, gpu: code.gpu, later: code.later, asserted })
    }

    fn data(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let Some(t) = site.target else { return };
        let (items, warnings) = region::copyout::of_data(self.unit, self.scopes, self.parents, i, self.options);
        warnings.iter().for_each(|w| self.warn(w));
        self.tell_data(i, &items);
        let n = items.len();
        let text = format!(
            "{{ {}{}{}__unspool_acc_enter(&__unspool_s, __unspool_i, {n}, &__unspool_c); ",
            self.site(site, 2),
            self.clauses(site),
            self.items(&items)
        );
        self.put(site, &text);
        let end = self.unit.range(self.unit.ast[t].span).end;
        self.edits.insert_after(end, format!(" __unspool_acc_exit(&__unspool_s, __unspool_i, {n}, &__unspool_c); }}"));
    }

    fn tell_data(&mut self, i: usize, items: &[data::Item]) {
        let site = &self.scopes.sites[i];
        let (line, _) = self.unit.line(site.directive.span.start);
        let info: Vec<Info> =
            crate::told::data_info(site.directive.kind, items).into_iter().map(|text| Info { line, text }).collect();
        self.by_site[i].0.clone_from(&info);
        let function = site.function.clone();
        self.tell(&function, info);
    }

    fn transfer(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let items = data::items(self.unit, self.scopes, site);
        self.tell_data(i, &items);
        let text = format!(
            "{{ {}{}{}__unspool_acc_data(&__unspool_s, __unspool_i, {}, &__unspool_c); }}",
            self.site(site, 0),
            self.clauses(site),
            self.items(&items),
            items.len()
        );
        self.put(site, &text);
    }

    /// Variables of the statement hold device addresses.
    fn host_data(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let Some(t) = site.target else { return };
        let mut text = format!("{{ {}{}", self.site(site, 0), self.clauses(site));
        let mut inner = String::new();
        let present = u8::from(site.directive.has(ClauseKind::IfPresent));
        for o in site.directive.all(ClauseKind::UseDevice).flat_map(|c| &c.operands) {
            let Some(v) = &o.variable else { continue };
            let x = &v.name;
            let shape = site.names.get(x).and_then(|&v| self.scopes.var(v).ty).map(|t| self.unit.shape(t));
            if !matches!(shape, Some(crate::ctype::Shape::Pointer(_) | crate::ctype::Shape::Array(..))) {
                continue;
            }
            let _ = write!(
                text,
                "void *__unspool_d_{x} = __unspool_acc_use_device(&__unspool_s, \"{x}\", (void *)({x}), {present}, __unspool_c.condition); __typeof__(&({x})[0]) __unspool_t_{x} = __unspool_d_{x}; "
            );
            let _ = write!(inner, "__typeof__(__unspool_t_{x}) {x} = __unspool_t_{x}; (void){x}; ");
        }
        text.push_str("{ ");
        text.push_str(&inner);
        self.put(site, &text);
        let end = self.unit.range(self.unit.ast[t].span).end;
        self.edits.insert_after(end, " } }".to_owned());
    }

    fn declare(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let items = data::items(self.unit, self.scopes, site);
        self.tell_data(i, &items);
        let n = items.len();
        let common = format!("{}{}{}", self.site(site, 4), self.clauses(site), self.items(&items));
        let text = if site.function.is_empty() {
            format!(
                "static void __attribute__((constructor)) __unspool_declare_{i}(void) {{ {common}__unspool_acc_enter(&__unspool_s, __unspool_i, {n}, &__unspool_c); }}"
            )
        } else {
            // The rest of the block is the region; whichever way it is left, the scope's end is seen.
            let own = ["s", "c", "i", "t", "d"].map(|n| format!("__unspool_{n}"));
            let common = own.iter().fold(common, |text, name| text.replace(name, &format!("{name}{i}_")));
            format!(
                "{common}__unspool_acc_enter(&__unspool_s{i}_, __unspool_i{i}_, {n}, &__unspool_c{i}_); struct __unspool_acc_scope __unspool_l{i} __attribute__((cleanup(__unspool_acc_leave), unused)) = {{ &__unspool_s{i}_, __unspool_i{i}_, {n} }};"
            )
        };
        self.put(site, &text);
    }

    fn wait(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let text = format!(
            "{{ {}{}__unspool_acc_wait(&__unspool_s, &__unspool_c); }}",
            self.site(site, 0),
            self.clauses(site)
        );
        self.put(site, &text);
    }

    fn control(&mut self, i: usize) {
        let site = &self.scopes.sites[i];
        let d = &site.directive;
        let condition = self.operand(d.clause(ClauseKind::If)).unwrap_or_else(|| "1".to_owned());
        let number = self.operand(d.clause(ClauseKind::DeviceNum));
        let queue = self.operand(d.clause(ClauseKind::DefaultAsync));
        let what = match d.kind {
            Kind::Init => 1,
            Kind::Shutdown => 2,
            _ => 3,
        };
        let (has, value) = match (number, queue) {
            (Some(n), _) => (1, n),
            (None, Some(q)) => (2, q),
            _ => (0, "0".to_owned()),
        };
        let types = site.written.device_types.join(",");
        let text = format!(
            "{{ {}__unspool_acc_control(&__unspool_s, {what}, \"{types}\", {has}, (long)({value}), ({condition}) != 0); }}",
            self.site(site, 0)
        );
        self.put(site, &text);
    }
}
