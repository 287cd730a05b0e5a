//! Names checked against what g++ 12 gives for the same declarations.

use super::*;
use crate::types::OperatorName;
use crate::types::{AddrSpace, Enum, Record};
use source::Span;

struct World {
    types: TypeTable,
    symbols: Interner,
}

impl World {
    fn new() -> Self {
        Self { types: TypeTable::default(), symbols: Interner::default() }
    }

    fn sym(&mut self, s: &str) -> Symbol {
        self.symbols.intern(s)
    }

    fn space(&mut self, parent: NameId, s: &str) -> NameId {
        let s = self.sym(s);
        self.types.child_name(parent, NameKind::Namespace(s))
    }

    fn class(&mut self, parent: NameId, s: &str, args: Option<Vec<TemplateArg>>) -> (NameId, TyId) {
        let s = self.sym(s);
        let name = self.types.new_name(parent, NameKind::Type(s), args.map(Vec::into_boxed_slice));
        let record = Record {
            name,
            is_union: false,
            complete: true,
            fields: Vec::new(),
            bases: Vec::new(),
            size: 1,
            align: 1,
            data_size: 0,
            plain: true,
            shares_tail: false,
            empty: true,
            empties: Vec::new(),
            trivial: true,
            span: Span::NONE,
        };
        (name, self.types.add_record(record).1)
    }

    fn ptr(&mut self, ty: TyId, quals: Quals) -> TyId {
        self.types.pointer(ty, quals, AddrSpace::Generic)
    }

    fn reference(&mut self, ty: TyId, quals: Quals) -> TyId {
        self.types.reference(ty, quals, AddrSpace::Generic, false)
    }

    fn param(&mut self, n: u32) -> TyId {
        self.types.intern(Ty::TemplateParam(n))
    }

    fn entity(&mut self, parent: NameId, s: &str, args: Option<Vec<TemplateArg>>) -> NameId {
        let s = self.sym(s);
        self.types.new_name(parent, NameKind::Entity(s), args.map(Vec::into_boxed_slice))
    }

    fn function(&self, name: NameId, ret: TyId, params: &[TyId]) -> String {
        let sig = Signature {
            ret,
            params,
            expansions: &[],
            variadic: false,
            this_quals: Quals::NONE,
            ref_qual: RefQual::None,
            template: 0,
        };
        Mangler::new(&self.types, &self.symbols).function(name, sig)
    }
}

fn ty(t: TyId) -> TemplateArg {
    TemplateArg::Type(t.into())
}

#[test]
fn kernels() {
    let mut w = World::new();
    let f = w.ptr(TyId::FLOAT, Quals::NONE);
    let cf = w.ptr(TyId::FLOAT, Quals::CONST);
    let k1 = w.entity(NameId::ROOT, "k1", None);
    assert_eq!(w.function(k1, TyId::VOID, &[f, cf, TyId::INT]), "_Z2k1PfPKfi");
    assert_eq!(w.function(k1, TyId::VOID, &[]), "_Z2k1v");
    let float4 = w.class(NameId::ROOT, "float4", None).1;
    let uint3 = w.class(NameId::ROOT, "uint3", None).1;
    let dim3 = w.class(NameId::ROOT, "dim3", None).1;
    let p4 = w.ptr(float4, Quals::CONST);
    let k2 = w.entity(NameId::ROOT, "k2", None);
    assert_eq!(w.function(k2, TyId::VOID, &[float4, p4, uint3, dim3]), "_Z2k26float4PKS_5uint34dim3");
    let op = w.types.new_name(NameId::ROOT, NameKind::Operator(OperatorName::Mul), None);
    assert_eq!(w.function(op, float4, &[float4, TyId::FLOAT]), "_Zml6float4f");
}

#[test]
fn templates() {
    let mut w = World::new();
    let t = w.param(0);
    let pt = w.ptr(t, Quals::NONE);
    let t1 = w.entity(NameId::ROOT, "t1", Some(vec![ty(TyId::INT)]));
    assert_eq!(w.function(t1, TyId::VOID, &[pt]), "_Z2t1IiEvPT_");
    let stf = w.entity(NameId::ROOT, "stf", Some(vec![ty(TyId::INT)]));
    assert_eq!(w.function(stf, t, &[t]), "_Z3stfIiET_S0_");
    let array = w.types.intern(Ty::DependentArray { elem: t, len: TemplateArg::Param(1) });
    let rarray = w.reference(array, Quals::NONE);
    let four = TemplateArg::Int { value: 4, ty: TyId::INT };
    let t2 = w.entity(NameId::ROOT, "t2", Some(vec![ty(TyId::FLOAT), four]));
    assert_eq!(w.function(t2, t, &[rarray, t]), "_Z2t2IfLi4EET_RAT0__S0_S0_");
    let t2p = w.param(2);
    let args =
        [TemplateArg::Int { value: -3, ty: TyId::INT }, TemplateArg::Int { value: 1, ty: TyId::BOOL }, ty(TyId::FLOAT)];
    let t3 = w.entity(NameId::ROOT, "t3", Some(args.to_vec()));
    let params = [w.ptr(t2p, Quals::CONST), w.ptr(t2p, Quals::NONE), w.reference(t2p, Quals::CONST)];
    assert_eq!(w.function(t3, TyId::VOID, &params), "_Z2t3ILin3ELb1EfEvPKT1_PS0_RS1_");
    let big = TemplateArg::Int { value: -1, ty: TyId::UINT };
    let tu = w.entity(NameId::ROOT, "tu", Some(vec![big]));
    assert_eq!(w.function(tu, TyId::VOID, &[]), "_Z2tuILj4294967295EEvv");
    let wname = w.class(NameId::ROOT, "W", None).0;
    let spec = |w: &mut World, a: TyId| w.types.intern(Ty::TemplateSpec { name: wname, args: vec![ty(a)].into() });
    let (wt, wp) = (spec(&mut w, t), spec(&mut w, pt));
    let t4 = w.entity(NameId::ROOT, "t4", Some(vec![ty(TyId::DOUBLE)]));
    assert_eq!(w.function(t4, TyId::VOID, &[wt, wp, wt]), "_Z2t4IdEv1WIT_ES0_IPS1_ES2_");
}

#[test]
fn nested_names_and_substitutions() {
    let mut w = World::new();
    let ns = w.space(NameId::ROOT, "ns");
    let (s, s_ty) = w.class(ns, "S", None);
    let in_ty = w.class(s, "In", None).1;
    let (ps, pin) = (w.ptr(s_ty, Quals::NONE), w.ptr(in_ty, Quals::NONE));
    let f = w.entity(ns, "f", None);
    assert_eq!(w.function(f, TyId::VOID, &[s_ty, ps, in_ty, pin]), "_ZN2ns1fENS_1SEPS0_NS0_2InEPS2_");
    let ctor = w.types.new_name(s, NameKind::Constructor, None);
    assert_eq!(w.function(ctor, TyId::VOID, &[TyId::INT]), "_ZN2ns1SC1Ei");
    let dtor = w.types.new_name(s, NameKind::Destructor, None);
    assert_eq!(w.function(dtor, TyId::VOID, &[]), "_ZN2ns1SD1Ev");
    let member = |params, ref_qual| {
        let this_quals = Quals::CONST;
        Signature { ret: TyId::VOID, params, expansions: &[], variadic: false, this_quals, ref_qual, template: 0 }
    };
    let konst = |params| member(params, RefQual::None);
    let conv = w.types.new_name(s, NameKind::Conversion(TyId::FLOAT), None);
    assert_eq!(Mangler::new(&w.types, &w.symbols).function(conv, konst(&[])), "_ZNK2ns1ScvfEv");
    let (left, right) = (member(&[], RefQual::Lvalue), member(&[], RefQual::Rvalue));
    assert_eq!(Mangler::new(&w.types, &w.symbols).function(conv, left), "_ZNKR2ns1ScvfEv");
    assert_eq!(Mangler::new(&w.types, &w.symbols).function(conv, right), "_ZNKO2ns1ScvfEv");
    let plus = w.types.new_name(s, NameKind::Operator(OperatorName::Add), None);
    let rs = w.reference(s_ty, Quals::CONST);
    assert_eq!(Mangler::new(&w.types, &w.symbols).function(plus, konst(&[rs])), "_ZNK2ns1SplERKS0_");
    let v = |w: &mut World, t| w.class(ns, "V", Some(vec![ty(t)]));
    let (vi_name, vi) = v(&mut w, TyId::INT);
    let vf = v(&mut w, TyId::FLOAT).1;
    let vv = v(&mut w, vi).1;
    let h = w.entity(ns, "h", None);
    assert_eq!(w.function(h, TyId::VOID, &[vi, vf, vv]), "_ZN2ns1hENS_1VIiEENS0_IfEENS0_IS1_EE");
    let g = w.entity(vi_name, "g", None);
    let pvi = w.ptr(vi, Quals::NONE);
    assert_eq!(w.function(g, TyId::VOID, &[vi, pvi]), "_ZN2ns1VIiE1gES1_PS1_");
    let var = w.entity(ns, "var", None);
    assert_eq!(Mangler::new(&w.types, &w.symbols).variable(var), "_ZN2ns3varE");
    let global = w.entity(NameId::ROOT, "plain", None);
    assert_eq!(Mangler::new(&w.types, &w.symbols).variable(global), "plain");
}

#[test]
fn deeper_scopes() {
    let mut w = World::new();
    let a = w.space(NameId::ROOT, "a");
    let b = w.space(a, "b");
    let c = w.class(b, "C", None).1;
    let pc = w.ptr(c, Quals::NONE);
    let dc = w.class(b, "D", Some(vec![ty(c)])).1;
    let ddc = w.class(b, "D", Some(vec![ty(dc)])).1;
    let pdc = w.ptr(dc, Quals::NONE);
    let g = w.entity(b, "g", None);
    assert_eq!(w.function(g, TyId::VOID, &[c, pc, dc, ddc, pdc]), "_ZN1a1b1gENS0_1CEPS1_NS0_1DIS1_EENS3_IS4_EEPS4_");
    let anon = w.types.child_name(NameId::ROOT, NameKind::AnonNamespace);
    let inner = w.class(anon, "A", None).1;
    let af = w.entity(anon, "af", None);
    assert_eq!(w.function(af, TyId::VOID, &[inner]), "_ZN12_GLOBAL__N_12afENS_1AE");
}

#[test]
fn compound_types() {
    let mut w = World::new();
    let pv = w.ptr(TyId::VOID, Quals::NONE);
    let fun = |w: &mut World, ret, params: Vec<TyId>| {
        let f = w.types.intern(Ty::Function(FnTy::plain(ret, params.into(), false)));
        w.ptr(f, Quals::NONE)
    };
    let f1 = fun(&mut w, TyId::INT, vec![TyId::FLOAT, pv]);
    let f2 = fun(&mut w, TyId::VOID, vec![]);
    let a3 = w.types.array(TyId::INT, Some(3));
    let ra3 = w.reference(a3, Quals::NONE);
    let s = w.ptr(TyId::CHAR, Quals::CONST);
    let fp = w.entity(NameId::ROOT, "fp", None);
    let sig = Signature {
        ret: TyId::VOID,
        params: &[f1, f2, ra3, s],
        expansions: &[],
        variadic: true,
        this_quals: Quals::NONE,
        ref_qual: RefQual::None,
        template: 0,
    };
    assert_eq!(Mangler::new(&w.types, &w.symbols).function(fp, sig), "_Z2fpPFifPvEPFvvERA3_iPKcz");
    let a4 = w.types.array(TyId::INT, Some(4));
    let pa4 = w.ptr(a4, Quals::CONST);
    let rr = w.types.reference(TyId::INT, Quals::NONE, AddrSpace::Generic, true);
    let vi = w.ptr(TyId::INT, Quals::VOLATILE);
    let arr = w.entity(NameId::ROOT, "arr", None);
    let params = [pa4, rr, TyId::LONGLONG, TyId::UCHAR, vi];
    assert_eq!(w.function(arr, TyId::VOID, &params), "_Z3arrPA4_KiOixhPVi");
    let e = w.sym("E");
    let name = w.types.new_name(NameId::ROOT, NameKind::Type(e), None);
    let e = Enum {
        name,
        underlying: TyId::INT,
        promotes_to: None,
        scoped: true,
        complete: true,
        fixed: false,
        span: Span::NONE,
    };
    let e = w.types.add_enum(e).1;
    let pe = w.ptr(e, Quals::NONE);
    let en = w.entity(NameId::ROOT, "en", None);
    assert_eq!(w.function(en, TyId::VOID, &[e, pe]), "_Z2en1EPS_");
    let te = w.entity(NameId::ROOT, "te", Some(vec![TemplateArg::Int { value: 0, ty: e }]));
    assert_eq!(w.function(te, TyId::VOID, &[]), "_Z2teIL1E0EEvv");
    let ff = fun(&mut w, TyId::FLOAT, vec![TyId::FLOAT]);
    let run = w.entity(NameId::ROOT, "run", Some(vec![ty(ff)]));
    let t = w.param(0);
    assert_eq!(w.function(run, TyId::VOID, &[t, TyId::INT]), "_Z3runIPFffEEvT_i");
}

#[test]
fn local_statics_and_deep_types() {
    let mut w = World::new();
    let cnt = w.sym("cnt");
    let m = Mangler::new(&w.types, &w.symbols);
    assert_eq!(m.local_variable("_Z3stfIiET_S0_", cnt, 0), "_ZZ3stfIiET_S0_E3cnt");
    assert_eq!(m.local_variable("_Z3stfIiET_S0_", cnt, 1), "_ZZ3stfIiET_S0_E3cnt_0");
    let mut deep = TyId::INT;
    for _ in 0..5000 {
        deep = w.ptr(deep, Quals::NONE);
    }
    let f = w.entity(NameId::ROOT, "f", None);
    assert!(w.function(f, TyId::VOID, &[deep]).len() < 1000);
}

/// nvcc's host code asks for these names, with the contents of its `FILE.module_id` in them.
#[test]
fn names_of_the_files_own_are_told_apart_by_the_module() {
    let mut w = World::new();
    let n = w.space(NameId::ROOT, "N");
    let anon = w.types.child_name(n, NameKind::AnonNamespace);
    let h = w.class(anon, "H", None).1;
    let pi = w.ptr(TyId::INT, Quals::NONE);
    let kk = w.entity(anon, "kk", None);
    let (arr, nst, counter) =
        (w.entity(anon, "arr", None), w.entity(n, "nst", None), w.entity(NameId::ROOT, "counter", None));
    let tv = w.entity(anon, "tv", Some(vec![ty(TyId::INT)]));
    let of_class = w.entity(anon, "tv", Some(vec![ty(h)]));
    let mut m = Mangler::new(&w.types, &w.symbols).with_module(Some("_d9_4_b_cu"));
    let params = &[h, pi];
    let sig = Signature {
        ret: TyId::VOID,
        params,
        expansions: &[],
        variadic: false,
        this_quals: Quals::NONE,
        ref_qual: RefQual::None,
        template: 0,
    };
    assert_eq!(m.function(kk, sig), "_ZN1N21_GLOBAL__N__d9_4_b_cu2kkENS0_1HEPi");
    assert_eq!(m.internal_variable(arr), "_ZN19_INTERNAL_d9_4_b_cu1N21_GLOBAL__N__d9_4_b_cu3arrE");
    assert_eq!(m.internal_variable(tv), "_ZN19_INTERNAL_d9_4_b_cu1N21_GLOBAL__N__d9_4_b_cu2tvIiEE");
    // The class in its arguments is not in the file's scope, which counts as one for what follows.
    let with_class = m.internal_variable(of_class);
    assert_eq!(with_class, "_ZN19_INTERNAL_d9_4_b_cu1N21_GLOBAL__N__d9_4_b_cu2tvINS1_1HEEE");
    assert_eq!(m.internal_variable(nst), "_ZN19_INTERNAL_d9_4_b_cu1N3nstE");
    assert_eq!(m.internal_variable(counter), "counter");
    assert_eq!(m.variable(nst), "_ZN1N3nstE");
}
