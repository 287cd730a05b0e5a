//! Dominators, post-dominators and loops against definitions taken literally, on random graphs.

use analysis::{LoopInfo, PostDomTree};
use ir::{Block, Builder, FnKind, Function, Param, ParamAttrs, Type};

/// A function whose block n branches to `succs[n]` (none: returns).
fn graph(succs: &[Vec<usize>]) -> Function {
    let mut f = Function::new("g", FnKind::Device);
    f.params.push(Param { ty: Type::I32, name: "n".into(), attrs: ParamAttrs::default() });
    let entry = f.new_entry_block();
    let n = f.dfg.params(entry)[0];
    let blocks: Vec<Block> = succs.iter().map(|_| f.new_block()).collect();
    let mut b = Builder::at_end(&mut f, entry);
    b.jump(blocks[0], &[]);
    for (k, s) in succs.iter().enumerate() {
        b.switch_to(blocks[k]);
        match s[..] {
            [] => {
                b.ret(None);
            }
            [x] => {
                b.jump(blocks[x], &[]);
            }
            [x, y] => {
                let zero = b.iconst(Type::I32, 0);
                let c = b.icmp(ir::IntCC::Eq, n, zero);
                b.br(c, (blocks[x], &[]), (blocks[y], &[]));
            }
            _ => {
                let cases: Vec<(u64, Block)> = s[1..].iter().enumerate().map(|(k, &x)| (k as u64, blocks[x])).collect();
                b.switch(n, &cases, blocks[s[0]]);
            }
        }
    }
    f
}

/// Blocks reachable from `from` without entering `without`.
fn reach(f: &Function, from: Block, without: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; f.dfg.blocks.len()];
    let mut stack = vec![from];
    while let Some(b) = stack.pop() {
        if Some(b) == without || std::mem::replace(&mut seen[b.as_u32() as usize], true) {
            continue;
        }
        stack.extend(f.succs(b));
    }
    seen
}

struct Rng(u64);
impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn random(rng: &mut Rng) -> Vec<Vec<usize>> {
    let n = 1 + rng.below(12);
    (0..n).map(|_| (0..rng.below(4)).map(|_| rng.below(n)).collect()).collect()
}

fn check(f: &Function) {
    let info = LoopInfo::new(f);
    let entry = f.layout.entry();
    let all: Vec<Block> = f.layout.blocks().collect();
    let at = |b: Block| b.as_u32() as usize;
    let live = reach(f, entry, None);
    for &a in &all {
        assert_eq!(info.cfg.is_reachable(a), live[at(a)]);
        if !live[at(a)] {
            continue;
        }
        let without = reach(f, entry, Some(a));
        for &b in &all {
            if live[at(b)] {
                assert_eq!(info.dom.dominates(a, b), !without[at(b)], "{a} dom {b}");
                assert_eq!(info.dom.subtree(a).contains(&b), !without[at(b)]);
            }
        }
        if let Some(d) = info.dom.idom(a) {
            assert!(info.dom.strictly_dominates(d, a));
            for &b in &all {
                if live[at(b)] && info.dom.strictly_dominates(b, a) {
                    assert!(info.dom.dominates(b, d));
                }
            }
        }
        let preds =
            all.iter().filter(|&&p| live[at(p)]).map(|&p| f.succs(p).filter(|&s| s == a).count()).sum::<usize>();
        assert_eq!(info.cfg.preds(a).len(), preds);
    }
    check_loops(f, &info, &all, &live);
    check_post(f, &info, &all, &live);
}

fn check_loops(f: &Function, info: &LoopInfo, all: &[Block], live: &[bool]) {
    for &h in all.iter().filter(|b| live[b.as_u32() as usize]) {
        let latches: Vec<Block> = all
            .iter()
            .copied()
            .filter(|&b| live[b.as_u32() as usize] && f.succs(b).any(|s| s == h) && info.dom.dominates(h, b))
            .collect();
        let Some(l) = info.loops.header_loop(h) else {
            assert!(latches.is_empty());
            continue;
        };
        let data = info.loops.data(l);
        assert_eq!(data.latches.len(), latches.len());
        assert_eq!(data.blocks[0], h);
        for &b in all.iter().filter(|b| live[b.as_u32() as usize]) {
            let inside = b == h
                || info.dom.dominates(h, b) && {
                    let r = reach(f, b, Some(h));
                    latches.iter().any(|x| r[x.as_u32() as usize])
                };
            assert_eq!(info.loops.contains(l, b), inside, "{l} {b}");
            assert_eq!(data.blocks.contains(&b), inside);
        }
        if let Some(p) = data.parent.expand() {
            assert!(data.blocks.iter().all(|&b| info.loops.contains(p, b)));
            assert_eq!(info.loops.data(p).depth + 1, data.depth);
            assert!(info.loops.data(p).children.contains(&l));
        }
        for e in info.loops.exit_edges(f, l) {
            assert!(info.loops.contains(l, e.from));
        }
    }
}

fn check_post(f: &Function, info: &LoopInfo, all: &[Block], live: &[bool]) {
    let post = PostDomTree::new(f, &info.cfg, &info.loops);
    let ends = |r: &[bool]| all.iter().any(|&b| r[b.as_u32() as usize] && f.succs(b).len() == 0);
    for &a in all.iter().filter(|b| live[b.as_u32() as usize]) {
        // The definition speaks of blocks that reach an end.
        if !ends(&reach(f, a, None)) {
            continue;
        }
        for &b in all.iter().filter(|b| live[b.as_u32() as usize]) {
            let expected = a == b || !ends(&reach(f, a, Some(b)));
            if post.dominates(b, a) {
                assert!(expected, "{b} pdom {a}");
            } else if all.iter().filter(|b| live[b.as_u32() as usize]).all(|&x| ends(&reach(f, x, None))) {
                assert!(!expected, "{b} pdom {a}");
            }
        }
        if let Some(d) = post.ipdom(a) {
            assert!(post.dominates(d, a) && d != a);
        }
    }
}

#[test]
fn random_graphs() {
    let mut rng = Rng(7);
    for _ in 0..1500 {
        check(&graph(&random(&mut rng)));
    }
}

#[test]
fn nest_with_two_latches() {
    // 0 -> 1; 1 (outer header) -> 2, 5; 2 (inner header) -> 3, 4; 3 -> 2; 4 -> 1, 6; 6 -> 1; 5 ends
    let f = graph(&[vec![1], vec![2, 5], vec![3, 4], vec![2], vec![1, 6], vec![], vec![1]]);
    check(&f);
    let info = LoopInfo::new(&f);
    let loops: Vec<_> = info.loops.iter().collect();
    assert_eq!(loops.len(), 2);
    let (outer, inner) = (info.loops.data(loops[0]), info.loops.data(loops[1]));
    assert_eq!((outer.latches.len(), inner.latches.len(), outer.depth, inner.depth), (2, 1, 1, 2));
    assert_eq!(info.loops.exiting_blocks(&f, loops[0]).len(), 1);
    assert!(info.loops.preheader(&f, &info.cfg, loops[0]).is_some());
    assert!(info.loops.preheader(&f, &info.cfg, loops[1]).is_none());
    assert!(!info.loops.has_irreducible());
}

#[test]
fn irreducible() {
    let f = graph(&[vec![1, 2], vec![2, 3], vec![1], vec![]]);
    check(&f);
    let info = LoopInfo::new(&f);
    assert!(info.loops.is_empty() && info.loops.has_irreducible());
}

#[test]
fn endless() {
    let f = graph(&[vec![1, 3], vec![2], vec![1], vec![]]);
    check(&f);
}

/// Cost must not explode on a long chain of nested loops or blocks.
#[test]
fn large() {
    let n = 20_000;
    let chain: Vec<Vec<usize>> = (0..n).map(|k| if k + 1 < n { vec![k + 1] } else { vec![] }).collect();
    let info = LoopInfo::new(&graph(&chain));
    assert_eq!(info.cfg.rpo().len(), n + 1);
    let ladder: Vec<Vec<usize>> = (0..n).map(|k| if k + 2 < n { vec![k + 1, k + 2] } else { vec![] }).collect();
    LoopInfo::new(&graph(&ladder));
}
