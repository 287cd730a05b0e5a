// test: diagnostics
int get_gloabl_size(int x) { return x; }
kernel void k(global float *p, global float4 *q) {
    p[get_gloabl_id(0)] = 1;
    // check: did you mean `get_global_id`?
    p[1] = naitve_sin(p[2]);
    // check: did you mean `native_sin`?
    q[0] = vlaod4(0, p);
    // check: did you mean `vload4`?
    q[1] = convert_flaot4(q[0]);
    // check: did you mean `convert_float4`?
    p[3] = get_gloabl_siz(0);
    // check: did you mean `get_gloabl_size`?
    q[2] = read_imagf(p, 0);
    // check: did you mean `read_imagef`?
    p[4] = utterly_different(0);
    // check: utterly_different
    // not: did you mean
}
