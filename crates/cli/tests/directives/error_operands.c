// What clauses name and is not there, or is something else.
int rows[4][10], n;
float x;
void names(float *p) {
#pragma acc parallel loop copyin(pp[0:n])
    for (int i = 0; i < n; i++) p[i] = 1;
#pragma acc parallel loop copy(p[0:length]) num_gangs(gangs) if(n > limit)
    for (int i = 0; i < n; i++) p[i] = 1;
#pragma acc update host(nobody)
#pragma acc host_data use_device(q)
    names(p);
#pragma acc host_data use_device(p) use_device(p)
    names(p);
#pragma acc update host(x,)
}
void sections(float *p, int v[10]) {
#pragma acc data copy(p[0:])
    { p[0] = 1; }
#pragma acc data copy(n[0:2])
    { n = 1; }
#pragma acc data copy(rows[0:4][0:10][0:2])
    { n = 1; }
#pragma acc data copyin(rows[0:4][0:12]) copy(v[0:20])
    { n = 1; }
#pragma acc region copyin(rows[0:3][0:11])
    { n = 1; }
#pragma acc data deviceptr(rows)
    { n = 1; }
#pragma acc data deviceptr(p, v) copy(rows[1:3][:])
    { n = 1; }
}
void statements(float *p) {
#pragma acc parallel loop reduction(&: x)
    for (int i = 0; i < n; i++) x += i;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        p[0] = i * n;
#pragma acc atomic read
        x += p[0];
#pragma acc atomic
        for (;;) break;
    }
}
#pragma acc routine(absent) seq
#pragma acc routine seq
int last;
void queues(int *p) {
    int q[4], m = 3;
#pragma acc parallel loop async(p)
    for (int i = 0; i < n; i++) p[i] = i;
#pragma acc parallel loop gang(2, 3) async(q)
    for (int i = 0; i < n; i++) p[i] = i;
#pragma acc parallel loop gang(num: 2, static: 4) async(m)
    for (int i = 0; i < n; i++) p[i] = i;
#pragma acc wait(p)
}
