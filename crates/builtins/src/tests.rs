//! Tests of the tables and of overload resolution.

use super::*;

const INT: BType = BType::scalar(Scalar::Int);
const UINT: BType = BType::scalar(Scalar::UInt);
const FLOAT: BType = BType::scalar(Scalar::Float);
const DOUBLE: BType = BType::scalar(Scalar::Double);
const HALF: BType = BType::scalar(Scalar::Half);
const FLOAT4: BType = BType::vector(Scalar::Float, 4);

fn resolve(lang: Lang, name: &str, args: &[BType]) -> Resolved {
    let b = lookup(lang, name).unwrap_or_else(|| panic!("{name} is not known"));
    b.resolve(args).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn cl(name: &str, args: &[BType]) -> Resolved {
    resolve(Lang::OpenCl, name, args)
}

fn cuda(name: &str, args: &[BType]) -> Resolved {
    resolve(Lang::Cuda, name, args)
}

fn ptr(scalar: Scalar, lanes: u8, space: Space) -> BType {
    BType::pointer(scalar, lanes, Pointer { space, is_const: false, is_volatile: false })
}

fn operation(op: Op) -> Callee {
    Callee::Meaning(Meaning::Op(op))
}

fn effects(r: &Resolved) -> Effects {
    match r.callee {
        Callee::Meaning(m) => m.effects(),
        Callee::Form(_) => Effects::PURE,
    }
}

fn lib_name(r: &Resolved) -> &'static str {
    match r.callee {
        Callee::Meaning(Meaning::Lib { func, .. }) => func.name(),
        other => panic!("no function: {other:?}"),
    }
}

/// Both made IR that does not verify.
#[test]
fn classes_of_vectors_are_vectors_and_scalars_have_no_cross_product() {
    let r = resolve(Lang::OpenCl, "__builtin_isnan", &[FLOAT4]);
    assert_eq!(r.ret, BType::vector(Scalar::Int, 4));
    let r = resolve(Lang::C, "__builtin_isless", &[DOUBLE, DOUBLE]);
    assert_eq!(r.ret, INT);
    let cross = lookup(Lang::OpenCl, "cross").expect("known");
    assert_eq!(cross.resolve(&[FLOAT, FLOAT]), Err(ResolveError::NoMatch { arg: 0 }));
    assert!(cross.resolve(&[FLOAT4, FLOAT4]).is_ok());
}

#[test]
fn tables_are_sorted_unique_and_well_formed() {
    for rows in [table_c::ROWS, table_common::ROWS, table_cuda::ROWS, table_opencl::ROWS] {
        for w in rows.windows(2) {
            assert!(w[0].name < w[1].name, "{} before {}", w[0].name, w[1].name);
        }
        for row in rows {
            assert!(!row.sigs.is_empty());
            for sig in row.sigs {
                assert!(pattern::is_valid(sig.pattern), "{}: {}", row.name, sig.pattern);
            }
        }
    }
}

#[test]
fn every_library_function_named_by_a_table_exists() {
    for rows in [table_c::ROWS, table_common::ROWS, table_cuda::ROWS, table_opencl::ROWS] {
        for row in rows {
            for sig in row.sigs {
                if let What::Lib(name) = sig.what {
                    assert!(library::find(name).is_some(), "{}: {name}", row.name);
                }
                let What::Math(base) = sig.what else { continue };
                let single = sig.pattern.contains('f') || sig.pattern.contains('V') || sig.pattern.contains('H');
                let generic = sig.pattern.contains('G') || sig.pattern.contains('F');
                if single || generic {
                    assert!(library::find_math(base, false).is_some(), "{}: {base}f", row.name);
                }
                if generic || sig.pattern.contains('d') {
                    assert!(library::find_math(base, true).is_some(), "{}: {base}", row.name);
                }
            }
        }
    }
}

#[test]
fn opencl_generic_types() {
    let r = cl("sin", &[FLOAT4]);
    assert_eq!((r.ret, lib_name(&r)), (FLOAT4, "__unspool_sinf"));
    assert_eq!(lib_name(&cl("sin", &[DOUBLE])), "__unspool_sin");
    assert_eq!(cl("sqrt", &[INT]).ret, FLOAT);
    let r = cl("sin", &[HALF]);
    assert_eq!(r.ret, HALF);
    assert!(matches!(r.callee, Callee::Meaning(Meaning::Lib { via_f32: true, .. })));
    assert_eq!(lib_name(&cl("nextafter", &[HALF, HALF])), "__unspool_nextafter_hf");
    assert_eq!(lib_name(&cl("nextafter", &[FLOAT, FLOAT])), "__unspool_nextafterf");
    // A scalar beside a vector is splat.
    let r = cl("fmax", &[FLOAT4, FLOAT]);
    assert_eq!((r.ret, r.params[1]), (FLOAT4, FLOAT4));
    let r = cl("clamp", &[FLOAT4, INT, INT]);
    assert_eq!((r.callee, r.params[2]), (operation(Op::Float(FloatOp::Clamp)), FLOAT4));
    assert_eq!(cl("max", &[INT, UINT]).ret, UINT);
    assert_eq!(cl("max", &[UINT, UINT]).callee, operation(Op::Integer(IntegerOp::Max)));
    let uchar4 = BType::vector(Scalar::UChar, 4);
    assert_eq!(cl("abs_diff", &[BType::vector(Scalar::Char, 4); 2]).ret, uchar4);
    assert_eq!(cl("dot", &[FLOAT4, FLOAT4]).ret, FLOAT);
    assert_eq!(cl("isless", &[FLOAT4, FLOAT4]).ret, BType::vector(Scalar::Int, 4));
    assert_eq!(cl("isless", &[BType::vector(Scalar::Double, 2); 2]).ret, BType::vector(Scalar::Long, 2));
    assert_eq!(cl("isless", &[DOUBLE, DOUBLE]).ret, INT);
    assert_eq!(cl("upsample", &[BType::scalar(Scalar::Short), BType::scalar(Scalar::UShort)]).ret, INT);
    assert_eq!(cl("select", &[FLOAT4, FLOAT4, BType::vector(Scalar::UInt, 4)]).ret, FLOAT4);
    assert!(lookup(Lang::OpenCl, "fmax").unwrap().resolve(&[FLOAT4, BType::vector(Scalar::Float, 2)]).is_err());
    assert_eq!(cl("get_global_id", &[INT]).ret, BType::scalar(Scalar::ULong));
}

#[test]
fn opencl_pointers_keep_their_space() {
    let local = ptr(Scalar::Int, 1, Space::Local);
    let r = cl("atomic_add", &[local, INT]);
    assert_eq!(r.params[0].ptr.unwrap().space, Space::Local);
    let r = cl("atomic_xchg", &[ptr(Scalar::Float, 1, Space::Global), FLOAT]);
    assert_eq!(r.ret, FLOAT);
    let r = cl("fract", &[FLOAT4, ptr(Scalar::Float, 4, Space::Private)]);
    assert_eq!(lib_name(&r), "__unspool_fractf");
    assert!(effects(&r).writes);
    let constant =
        BType::pointer(Scalar::Float, 1, Pointer { space: Space::Constant, is_const: true, is_volatile: false });
    assert_eq!(cl("vload4", &[INT, constant]).ret, FLOAT4);
    let b = lookup(Lang::OpenCl, "vstore4").unwrap();
    assert_eq!(b.resolve(&[FLOAT4, INT, constant]), Err(ResolveError::NoMatch { arg: 2 }));
}

#[test]
fn names_with_types() {
    let r = cl("convert_uchar4_sat_rte", &[FLOAT4]);
    assert_eq!(r.ret, BType::vector(Scalar::UChar, 4));
    assert_eq!(r.callee, operation(Op::Value(ValueOp::Convert { round: Some(Round::Nearest), saturate: true })));
    assert!(lookup(Lang::OpenCl, "convert_float_sat").is_none());
    assert!(lookup(Lang::OpenCl, "convert_int5").is_none());
    assert_eq!(cl("as_int4", &[FLOAT4]).callee, operation(Op::Value(ValueOp::BitCast)));
    assert_eq!(cl("as_int4", &[BType::vector(Scalar::Float, 3)]).ret, BType::vector(Scalar::Int, 4));
    assert!(lookup(Lang::OpenCl, "as_double").unwrap().resolve(&[FLOAT]).is_err());
    assert_eq!(cuda("make_uint3", &[INT, INT, INT]).ret, BType::vector(Scalar::UInt, 3));
    assert_eq!(lookup(Lang::Cuda, "make_float4").unwrap().resolve(&[]), Err(ResolveError::Arity { min: 4, max: 4 }));
    assert!(lookup(Lang::OpenCl, "vstorea_half8_rtz").is_some());
    let r = cl("shuffle", &[FLOAT4, BType::vector(Scalar::UInt, 2)]);
    assert_eq!(r.ret, BType::vector(Scalar::Float, 2));
}

#[test]
fn cuda_overloads_follow_cpp() {
    assert_eq!(lib_name(&cuda("sin", &[FLOAT])), "__unspool_sinf");
    assert_eq!(lib_name(&cuda("sin", &[INT])), "__unspool_sin");
    assert_eq!(cuda("pow", &[FLOAT, INT]).ret, DOUBLE);
    assert_eq!(cuda("sinf", &[DOUBLE]).params[0], FLOAT);
    assert_eq!(cuda("max", &[INT, UINT]).ret, UINT);
    assert_eq!(cuda("max", &[FLOAT, DOUBLE]).ret, DOUBLE);
    assert_eq!(cuda("min", &[BType::scalar(Scalar::Short); 2]).ret, INT);
    assert_eq!(cuda("abs", &[FLOAT]).callee, operation(Op::Float(FloatOp::Abs)));
    assert_eq!(cuda("__hadd", &[INT, INT]).callee, operation(Op::Integer(IntegerOp::HalfAdd)));
    assert_eq!(cuda("__hadd", &[HALF, HALF]).ret, HALF);
    assert_eq!(cuda("__heq", &[HALF, HALF]).ret, BType::scalar(Scalar::Bool));
    let half2 = BType::vector(Scalar::Half, 2);
    assert_eq!(cuda("__hfma2", &[half2; 3]).ret, half2);
    assert_eq!(cuda("atomicAdd", &[ptr(Scalar::Float, 1, Space::Generic), INT]).params[1], FLOAT);
    assert_eq!(cuda("atomicAdd", &[ptr(Scalar::Half, 2, Space::Generic), half2]).ret, half2);
    let short = lookup(Lang::Cuda, "atomicAdd").unwrap().resolve(&[ptr(Scalar::Short, 1, Space::Generic), INT]);
    assert_eq!(short, Err(ResolveError::NoMatch { arg: 0 }));
    assert_eq!(cuda("__shfl_xor_sync", &[UINT, FLOAT, INT]).ret, FLOAT);
    assert_eq!(cuda("__shfl_down_sync", &[UINT, DOUBLE, INT, INT]).params.len(), 4);
    assert!(effects(&cuda("__syncthreads", &[])).convergent);
    assert_eq!(cuda("__ldg", &[ptr(Scalar::Float, 4, Space::Generic)]).ret, FLOAT4);
    assert!(cuda("printf", &[ptr(Scalar::Char, 1, Space::Generic), INT, DOUBLE]).variadic);
}

#[test]
fn c_names_are_not_overloaded() {
    assert_eq!(cuda("__nv_sin", &[FLOAT]).ret, DOUBLE);
    assert_eq!(lib_name(&cl("__builtin_powf", &[FLOAT, FLOAT])), "__unspool_powf");
    assert_eq!(cuda("__nv_fast_sinf", &[FLOAT]).callee, operation(Op::Float(FloatOp::SinApprox)));
    assert_eq!(cuda("__nv_float2int_rn", &[FLOAT]).ret, INT);
    assert_eq!(resolve(Lang::C, "sin", &[FLOAT]).ret, DOUBLE);
    assert!(lookup(Lang::C, "__sinf").is_none());
    assert!(lookup(Lang::OpenCl, "__builtin_memcmpx").is_none());
}

#[test]
fn errors_say_what_is_wrong() {
    let b = lookup(Lang::OpenCl, "pow").unwrap();
    assert_eq!(b.resolve(&[FLOAT]), Err(ResolveError::Arity { min: 2, max: 2 }));
    assert!(matches!(b.resolve(&[ptr(Scalar::Int, 1, Space::Global), FLOAT]), Err(ResolveError::NoMatch { arg: 0 })));
    let b = lookup(Lang::Cuda, "tex2D").unwrap();
    assert_eq!(b.resolve(&[INT]), Err(ResolveError::Unsupported("textures")));
    assert!(!lookup(Lang::OpenCl, "clamp").unwrap().signatures().is_empty());
}

#[test]
fn cuda_variables() {
    let v = CudaVariable::from_name("threadIdx").unwrap();
    assert_eq!(v.special(Axis::Y), Special::ThreadId(Axis::Y));
    assert!(CudaVariable::from_name("threadIdy").is_none());
}

/// The parameters of a library function as its C text declares them: whether each is a pointer.
fn declared(f: library::LibFn) -> Vec<bool> {
    let text = f.text(target::Target::default());
    let params = text.split_once('(').unwrap().1.split_once(')').unwrap().0;
    params.split(',').map(|p| p.contains('*')).collect()
}

#[test]
fn library_functions_take_what_their_patterns_say() {
    let samples = [FLOAT, DOUBLE, INT];
    for (lang, rows) in [(Lang::C, table_c::ROWS), (Lang::OpenCl, table_opencl::ROWS), (Lang::Cuda, table_cuda::ROWS)] {
        for row in rows {
            let What::Math(base) = row.sigs[0].what else { continue };
            let params = row.sigs[0].pattern.split_once(':').unwrap().1;
            let double = params.starts_with('F') || params.starts_with('G') || params.starts_with('d');
            let f = library::find_math(base, double).unwrap_or_else(|| panic!("{}", row.name));
            let shape = declared(f);
            // Scalars of the first type everywhere, pointers to int or to that type where the function has pointers.
            let own = samples[usize::from(double)];
            let fits = [own.scalar, Scalar::Int].iter().any(|&pointee| {
                let args: Vec<_> =
                    shape.iter().map(|&p| if p { ptr(pointee, 1, Space::Private) } else { own }).collect();
                let r = lookup(lang, row.name).unwrap().resolve(&args);
                r.is_ok_and(|r| r.callee == Callee::Meaning(Meaning::Lib { func: f, via_f32: false }))
            });
            let half_only = params.starts_with('H');
            assert!(fits || half_only, "{} and {} disagree", row.name, f.name());
        }
    }
}

#[test]
fn fast_forms_of_half_functions_still_go_through_single_precision() {
    let func = crate::library::find("__unspool_expf").unwrap();
    let fast = fast_form(Meaning::Lib { func, via_f32: true }, Lang::OpenCl);
    assert!(matches!(fast, Some(Meaning::Lib { via_f32: true, .. })), "{fast:?}");
}

#[test]
fn every_name_that_is_suggested_is_found() {
    for lang in [Lang::OpenCl, Lang::Cuda, Lang::C] {
        for name in names(lang) {
            assert!(lookup(lang, &name).is_some(), "{lang:?}: {name}");
        }
    }
    assert!(names(Lang::OpenCl).any(|n| n == "convert_uchar16"));
    assert!(!names(Lang::Cuda).any(|n| n == "vload4"));
}
