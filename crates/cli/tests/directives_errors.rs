//! `unspool cc`: errors at run time name array, extents, place and function.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use tools::ran::{fails, fails_with, ran};
use tools::text;

#[test]
fn data_that_is_not_present_is_named() {
    let Some(said) = fails(
        "#include <stdlib.h>\nvoid f(int n, float *a) {\n#pragma acc parallel loop present(a[0:n])\nfor (int i = 0; i < n; i++) a[i] = 1;\n}\nint main(void) { f(10, malloc(40)); return 0; }\n",
    ) else {
        return;
    };
    assert!(said.contains("not found on the device: name=a[0:n]") && said.contains("size:40"), "{said}");
    assert!(said.contains("file:p.c f line:3"), "{said}");
}

/// The second program of tip 8: more is asked for than was entered before.
#[test]
fn partly_present_data_is_named_with_both_extents() {
    let Some(said) = fails(
        "float a[100];\nint main(void) {\n#pragma acc data copyin(a[0:50])\n{\n#pragma acc parallel loop copy(a[10:60])\nfor (int i = 10; i < 70; i++) a[i] = 1;\n}\nreturn 0; }\n",
    ) else {
        return;
    };
    assert!(said.contains("partially present on the device: name=a[10:60]") && said.contains("size:240"), "{said}");
    assert!(said.contains("overlaps name=a[0:50]") && said.contains("size:200 entered at p.c:3 (main)"), "{said}");
}

/// Tip 8's two programs without `-Mbounds`: the first ended by a signal without a word, the second went on with rows that overlap.
#[test]
fn both_programs_of_tip_8_end_with_words_where_memory_is_apart() {
    let program = |section: &str, index: &str| {
        format!(
            "float A[8][100], B[8][100];\nint main(void) {{ int n = 99;\n#pragma acc region copyin(B[0:7][{section}])\n{{\n\
             for (int i = 0; i < 8; ++i)\nfor (int j = 0; j < 100; ++j)\nA[i][j] = B[i][{index}];\n}}\nreturn 0; }}\n"
        )
    };
    let Some(said) = fails_with(&["-ta=discrete"], &program("0:99", "j+1")) else { return };
    assert!(
        said.contains("a kernel left the device's memory") && said.contains("behind the last byte of name=B"),
        "{said}"
    );
    assert!(said.contains("size:3200 entered at p.c:3 (main)") && said.contains("file:p.c main line:3"), "{said}");
    let Some(said) = fails_with(&["-ta=discrete"], &program("0:n+2", "j")) else { return };
    let sizes = "name=B[0:7][0:n+2] does not fit its array: dimension 2 has elements 0 to 101, 408 bytes, and a row has 0 to 99, 400 bytes";
    assert!(said.contains(sizes) && said.contains("file:p.c main line:3"), "{said}");
}

/// The second one with `-Mbounds` where nothing is copied: it went on.
#[test]
fn sections_that_do_not_fit_are_named_on_every_device() {
    let program = "float A[8][100], B[8][100];\nint main(void) { int n = 99;\n#pragma acc region copyin(B[0:7][0:n+2])\n{\n\
                   for (int i = 0; i < 8; ++i)\nfor (int j = 0; j < 100; ++j)\nA[i][j] = B[i][j];\n}\nreturn 0; }\n";
    for device in ["-ta=host", "-ta=multicore", "-ta=discrete"] {
        let Some(said) = fails_with(&[device, "-Mbounds"], program) else { return };
        assert!(
            said.contains("name=B[0:7][0:n+2] does not fit its array: dimension 2 has elements 0 to 101"),
            "{said}"
        );
    }
}

/// The program went on with another device, without a word.
#[test]
fn variables_of_the_environment_that_mean_nothing_are_named() {
    let program = "int a[9];\nint main(void) {\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) a[i] = i;\nreturn a[8] != 8; }\n";
    let environment = [("ACC_DEVICE_TYPE", "multicoer")];
    let Some((_, told)) = tools::ran::says(&["-acc"], &environment, program) else { return };
    assert!(told.contains("ACC_DEVICE_TYPE=multicoer is not a type of device (host, multicore"), "{told}");
    let Some((_, told)) = tools::ran::says(&["-acc"], &[("ACC_DEVICE_NUM", "one")], program) else { return };
    assert!(told.contains("ACC_DEVICE_NUM=one is not a device's number"), "{told}");
}

/// The first program of tip 8: `-Mbounds` names array, index and line, whatever runs the region.
#[test]
fn accesses_out_of_bounds_are_named_on_every_device() {
    let program = "float A[8][100], B[8][100];\nint main(void) {\n#pragma acc region copyin(B[0:7][0:99])\n{\n\
                   for (int i = 0; i < 8; ++i)\nfor (int j = 0; j < 100; ++j)\nA[i][j] = B[i][j+1];\n}\nreturn 0; }\n";
    for device in ["-ta=host", "-ta=multicore", "-ta=discrete"] {
        let Some(said) = fails_with(&[device, "-Mbounds"], program) else { return };
        assert!(said.contains("subscript 2 of array B is out of bounds: index 100 (B[i][j+1]) in p.c:7"), "{said}");
        assert!(said.contains("bounds [0:99]") && said.contains("file:p.c main line:3"), "{said}");
    }
}

/// Of pointers the section of a data clause is the bound, of this construct or of one around.
#[test]
fn sections_of_pointers_are_bounds() {
    let program = "#include <stdlib.h>\nint main(void) { int n = 50; int *a = malloc(400);\n#pragma acc data copy(a[10:n])\n{\n\
                   #pragma acc parallel loop\nfor (int i = 10; i <= 10 + n; i++) a[i] = i;\n}\nreturn 0; }\n";
    for device in ["-acc=multicore", "-acc=discrete"] {
        let Some(said) = fails_with(&[device, "-Mbounds"], program) else { return };
        assert!(said.contains("index 60 (a[i]) in p.c:6, bounds [10:59]"), "{device}: {said}");
    }
}

/// The queue frees the array when it comes to that, and its entry was gone: "private or reduced data".
#[test]
fn arrays_of_constructs_in_queues_are_named() {
    let program = "#include <stdlib.h>\nint main(void) { int n = 1000, *a = malloc(4000);\n#pragma acc parallel loop async(1) copy(a[0:10])\n\
                   for (int i = 0; i < n; i++) a[i] += a[i * 3];\n#pragma acc wait\nreturn 0; }\n";
    let Some(said) = fails_with(&["-ta=discrete"], program) else { return };
    assert!(said.contains("of name=a[0:10] size:40 entered at p.c:3 (main)"), "{said}");
}

/// Where the time is told at the end, the end waited for the queue that the error came from.
#[test]
fn errors_in_queues_end_programs_that_tell_the_time() {
    let program = "#pragma acc routine seq\nstatic int down(int n) { volatile int a[16]; a[n & 15] = n; return n <= 0 ? 0 : down(n - 1) + a[n & 15]; }\n\
                   int main(int c, char **v) { int r[8];\n#pragma acc parallel loop copyout(r) async(2)\n\
                   for (int i = 0; i < 8; i++) r[i] = down(i * c * 1000000);\n#pragma acc wait\nreturn r[1]; }\n";
    let Some((_, ran)) = ran(&["-acc"], &[("NVCOMPILER_ACC_TIME", "1")], program) else { return };
    let told = text(&ran.stderr);
    assert!(!ran.status.success() && told.contains("took more of the stack than there is"), "{told}");
    assert!(told.contains("Accelerator Kernel Timing data"), "{told}");
}
