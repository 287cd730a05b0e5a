/* Each clause of OpenACC 3.4 and of PGI's dialect does what its text says, on devices that share memory and on others. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#endif

enum { n = 200 };
static int a[n], b[n], c[n];

static int shared(void) {
#ifdef _OPENACC
    acc_device_t t = acc_get_device_type();
    return t == acc_device_host || t == 10;
#else
    return 1;
#endif
}

/* Without directives nobody has variables of their own. */
#ifdef _OPENACC
#define KEPT(x) (x)
#else
#define KEPT(x) 1
#endif

static void fill(void) {
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 7, c[i] = -1;
}

static void said(const char *clause, int ok) { printf("%s %s\n", clause, ok ? "ok" : "WRONG"); }

/* ---- which device, when ---- */

static void conditions(void) {
    fill();
    int on = 1, off = 0, ok = 1;
    #pragma acc parallel loop if(off) copy(a)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc parallel loop if(on) copy(a)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc parallel loop self copy(a)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc parallel loop self(off) copy(a)
    for (int i = 0; i < n; i++) a[i] += 1;
    for (int i = 0; i < n; i++) ok &= a[i] == i + 4;
    said("if self", ok);
}

static void queues(void) {
    fill();
    int ok = 1, q = 3;
    #pragma acc enter data copyin(a) create(b) async(1)
    #pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc parallel loop async(q) wait(1) present(a, b)
    for (int i = 0; i < n; i++) b[i] = a[i] * 2;
    #pragma acc parallel loop async wait(devnum: 0 : queues: 1, q) present(b)
    for (int i = 0; i < n; i++) b[i] += 1;
    #pragma acc wait async(2)
    #pragma acc exit data copyout(b) delete(a) async(2)
    #pragma acc wait(2) if(1)
    for (int i = 0; i < n; i++) ok &= b[i] == 2 * (i + 1) + 1;
    said("async wait", ok);
}

/* ---- how loops are shared ---- */

static void sizes(void) {
    fill();
    int ok = 1, sum = 0, gangs = 5;
    #pragma acc parallel num_gangs(gangs) num_workers(4) vector_length(32) copy(a) reduction(+:sum)
    {
        #pragma acc loop gang worker vector
        for (int i = 0; i < n; i++) a[i] += 1;
        sum += 1;
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + 1;
    said("num_gangs num_workers vector_length", ok && sum == gangs || sum == 1);
    int m[10][20], good = 1, total = 0;
    for (int i = 0; i < 10; i++) for (int j = 0; j < 20; j++) m[i][j] = i;
    #pragma acc parallel loop gang(static: 1, num: 4) copy(m) reduction(+:total)
    for (int i = 0; i < 10; i++) {
        int row = 0;
        #pragma acc loop worker(2) vector(16) reduction(+:row)
        for (int j = 0; j < 20; j++) { m[i][j] += j; row += m[i][j]; }
        total += row;
    }
    for (int i = 0; i < 10; i++) for (int j = 0; j < 20; j++) good &= m[i][j] == i + j;
    said("gang worker vector", good && total == 10 * 190 + 20 * 45);
    #pragma acc parallel loop gang(dim: 2) copy(m)
    for (int i = 0; i < 10; i++)
        #pragma acc loop gang(dim: 1)
        for (int j = 0; j < 20; j++) m[i][j] += 1;
    good = 1;
    for (int i = 0; i < 10; i++) for (int j = 0; j < 20; j++) good &= m[i][j] == i + j + 1;
    said("gang(dim:)", good);
}

static void orders(void) {
    fill();
    int ok = 1;
    #pragma acc parallel loop seq copy(a)
    for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1;
    #pragma acc parallel loop auto copy(b)
    for (int i = 1; i < n; i++) b[i] = b[i - 1] + 1;
    #pragma acc kernels loop independent copy(c)
    for (int i = 0; i < n; i++) c[i] += i;
    for (int i = 0; i < n; i++) ok &= a[i] == i && b[i] == 7 + i && c[i] == i - 1;
    said("seq auto independent", ok);
}

static void nests(void) {
    int m[12][18], ok = 1;
    #pragma acc parallel loop tile(4, 5) copyout(m)
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 18; j++) m[i][j] = 100 * i + j;
    for (int i = 0; i < 12; i++) for (int j = 0; j < 18; j++) ok &= m[i][j] == 100 * i + j;
    int three[3][4][5] = { 0 };
    #pragma acc parallel copy(three)
    {
        #pragma acc loop tile(2, *) gang vector
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                #pragma acc loop seq
                for (int k = 0; k < 5; k++) three[i][j][k] += i + j + k;
    }
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++) ok &= three[i][j][k] == i + j + k;
    said("tile", ok);
    int base[12];
    ok = 1;
    for (int i = 0; i < 12; i++) base[i] = 50 * i;
    #pragma acc parallel loop collapse(2) copyout(m)
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 18; j++) m[i][j] = i - j;
    for (int i = 0; i < 12; i++) for (int j = 0; j < 18; j++) ok &= m[i][j] == i - j;
    #pragma acc parallel loop collapse(force: 2) copyin(base) copyout(m)
    for (int i = 0; i < 12; i++) {
        int start = base[i];
        for (int j = 0; j < 18; j++) m[i][j] = start + j;
    }
    for (int i = 0; i < 12; i++) for (int j = 0; j < 18; j++) ok &= m[i][j] == 50 * i + j;
    said("collapse(force:)", ok);
}

static void cached(void) {
    fill();
    int ok = 1;
    #pragma acc parallel loop copyin(a) copy(b)
    for (int i = 1; i < n - 1; i++) {
        #pragma acc cache(readonly: a[i-1:3])
        b[i] = a[i - 1] + a[i] + a[i + 1];
    }
    for (int i = 1; i < n - 1; i++) ok &= b[i] == 3 * i;
    said("cache", ok);
}

static void devices(void) {
    fill();
    int ok = 1, sum = 0;
    #pragma acc parallel reduction(+:sum) device_type(nvidia) num_gangs(3) vector_length(64) device_type(*) num_gangs(2)
    sum += 1;
#ifdef _OPENACC
    acc_device_t t = acc_get_device_type();
    int want = t == acc_device_host ? 1 : t == acc_device_nvidia ? 3 : 2;
#else
    int want = 1;
#endif
    ok = sum == want;
    #pragma acc parallel loop copy(a) dtype(radeon) seq dtype(*) gang vector
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc parallel loop copy(a) device_type(nvidia, host) async(1)
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc wait
    for (int i = 0; i < n; i++) ok &= a[i] == i + 2;
    said("device_type", ok);
}

/* ---- whose variables ---- */

struct pair { int x, y; };

static void privates(int m, int *p) {
    fill();
    int ok = 1, t = 5, v[4] = { 1, 2, 3, 4 }, w[m], z[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    struct pair s = { 3, 4 };
    for (int i = 0; i < m; i++) w[i] = 10 * i, p[i] = i;
    /* Each gang has its own, which begin as the host's. */
    #pragma acc parallel num_gangs(6) firstprivate(t, v, s, z) copy(a)
    {
        t += 1;
        v[2] += 1;
        s.x += 1;
        z[1][2] += t;
        #pragma acc loop gang
        for (int i = 0; i < n; i++) a[i] += t + v[0] + v[2] + s.x + z[1][2];
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + 6 + 1 + 4 + 4 + 12;
    said("firstprivate arrays", ok && KEPT(t == 5 && v[2] == 3 && s.x == 3 && z[1][2] == 6));
    fill();
    ok = 1;
    v[2] = 3;
    #pragma acc parallel loop firstprivate(v, w) copy(a)
    for (int i = 0; i < n; i++) {
        v[i % 4] += w[i % m];
        a[i] += v[i % 4];
        v[i % 4] -= w[i % m];
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + i % 4 + 1 + 10 * (i % m);
    said("firstprivate of a loop, and of computed extent", ok && KEPT(w[1] == 10));
    fill();
    ok = 1;
    #pragma acc parallel num_gangs(4) firstprivate(p[0:m]) copy(a)
    {
        p[1] += 5;
        #pragma acc loop gang
        for (int i = 0; i < n; i++) a[i] += p[i % m];
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + (i % m == 1 ? 6 : i % m);
    p[1] = 1;
    said("firstprivate sections of pointers", ok);
    fill();
    ok = 1;
    #pragma acc parallel loop private(v, w, z, t) copy(a)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) v[k] = i + k;
        for (int k = 0; k < m; k++) w[k] = k;
        z[1][2] = 1;
        t = v[3] - i;
        a[i] += t + w[m - 1] + z[1][2];
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + 3 + m - 1 + 1;
    said("private arrays", ok && KEPT(v[1] == 2 && w[1] == 10));
}

static void reductions(void) {
    fill();
    int s = 1, p = 1, lo = 1000, hi = -1000, x = 0, o = 0, d = ~0, l = 0, k = 1, v[3] = { 0, 1, 2 };
    struct pair q = { 0, 0 };
    #pragma acc parallel loop copyin(a) reduction(+:s) reduction(*:p) reduction(min:lo) reduction(max:hi) reduction(^:x) \
        reduction(|:o) reduction(&:d) reduction(||:l) reduction(&&:k) reduction(+:v)
    for (int i = 0; i < n; i++) {
        s += a[i];
        p *= i % 50 == 1 ? 3 : 1;
        if (a[i] < lo) lo = a[i];
        if (a[i] > hi) hi = a[i];
        x ^= a[i];
        o |= a[i];
        d &= a[i] | 64;
        l = l || a[i] == 5;
        k = k && a[i] >= 0;
        v[i % 3] += 1;
    }
    said("reduction", s == 1 + n * (n - 1) / 2 && p == 81 && lo == 0 && hi == n - 1 && o == 255 && d == 64 && l == 1 && k == 1 &&
         v[0] + v[1] + v[2] == n + 3 && x == 0);
    (void)q;
}

static void defaults(void) {
    fill();
    int ok = 1, t = 2;
    #pragma acc data copy(a)
    {
        #pragma acc parallel loop default(present) firstprivate(t)
        for (int i = 0; i < n; i++) a[i] += t;
    }
    #pragma acc parallel loop default(none) copy(a) firstprivate(t)
    for (int i = 0; i < n; i++) a[i] += t;
    for (int i = 0; i < n; i++) ok &= a[i] == i + 4;
    said("default", ok);
}

/* ---- data ---- */

static void modifiers(void) {
    fill();
    int ok = 1, apart = !shared();
    #pragma acc data create(zero: b) copyout(b)
    {
        #pragma acc parallel loop
        for (int i = 0; i < n; i++) b[i] += i;
    }
    for (int i = 0; i < n; i++) ok &= b[i] == i + (apart ? 0 : 7);
    fill();
    #pragma acc parallel loop copyout(zero: b)
    for (int i = 0; i < n; i++) b[i] += i;
    for (int i = 0; i < n; i++) ok &= b[i] == i + (apart ? 0 : 7);
    said("zero", ok);
    fill();
    ok = 1;
    #pragma acc parallel loop copyin(readonly: a) copyout(b)
    for (int i = 0; i < n; i++) b[i] = a[i];
    for (int i = 0; i < n; i++) ok &= b[i] == i;
    said("readonly", ok);
    fill();
    ok = 1;
    #pragma acc data copyin(a) create(b)
    {
        for (int i = 0; i < n; i++) a[i] = 2 * i;
        #pragma acc parallel loop copyin(always: a) copyout(always: b)
        for (int i = 0; i < n; i++) b[i] = a[i] + 1;
        for (int i = 0; i < n; i++) ok &= b[i] == 2 * i + 1;
        for (int i = 0; i < n; i++) a[i] = 3 * i;
        #pragma acc parallel loop copy(alwaysin: a) copy(alwaysout: b)
        for (int i = 0; i < n; i++) b[i] = a[i];
        for (int i = 0; i < n; i++) ok &= b[i] == 3 * i;
    }
    said("always alwaysin alwaysout", ok);
    fill();
    ok = 1;
    int *h = malloc(n * sizeof *h);
    for (int i = 0; i < n; i++) h[i] = i;
    #pragma acc data copy(capture: h[0:n])
    {
        #pragma acc parallel loop present(h[0:n])
        for (int i = 0; i < n; i++) h[i] += 1;
    }
    for (int i = 0; i < n; i++) ok &= h[i] == i + 1;
    free(h);
    said("capture", ok);
}

static void lifetimes(void) {
    fill();
    int ok = 1;
    #pragma acc enter data copyin(a) create(b)
    #pragma acc enter data copyin(a)
    #pragma acc parallel loop present(a, b) no_create(c)
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    #pragma acc exit data delete(a)
    #pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++) a[i] += 5;
    #pragma acc enter data copyin(a)
    #pragma acc exit data copyout(a) finalize
    #pragma acc update self(a) if_present
    #pragma acc exit data copyout(b)
    for (int i = 0; i < n; i++) ok &= a[i] == i + 5 && b[i] == i + 1;
#ifdef _OPENACC
    ok &= shared() || !acc_is_present(a, sizeof a);
#endif
    said("copyin create present no_create delete finalize", ok);
}

struct list { int count; int *values; };

static void attached(void) {
    int ok = 1;
    struct list s = { n, malloc(n * sizeof(int)) };
    int *where = s.values;
    for (int i = 0; i < n; i++) s.values[i] = i;
    #pragma acc enter data copyin(s)
    #pragma acc enter data copyin(where[0:n])
    #pragma acc enter data attach(s.values)
    #pragma acc parallel loop present(s)
    for (int i = 0; i < n; i++) s.values[i] += s.count;
    #pragma acc exit data detach(s.values)
    #pragma acc exit data copyout(where[0:n]) delete(s)
    for (int i = 0; i < n; i++) ok &= s.values[i] == i + n;
    said("attach detach", ok && s.values == where);
    free(where);
}

static void add(int *x) {
    #pragma acc parallel loop deviceptr(x)
    for (int i = 0; i < n; i++) x[i] += 1;
}

static void addresses(void) {
    fill();
    int ok = 1;
    #pragma acc data copy(a)
    {
        #pragma acc host_data use_device(a) if(1) if_present
        add(a);
        #pragma acc update self(a[0:10]) async(4)
        #pragma acc update device(a[0:10]) async(4) wait(4)
        #pragma acc wait(4)
    }
    for (int i = 0; i < n; i++) ok &= a[i] == i + 1;
    said("deviceptr use_device update", ok);
}

static void operations(void) {
    fill();
    int count = 0, seen[n], ok = 1, on = 1;
    unsigned char bytes[8] = { 0 };
    short halves[4] = { 0 };
    double big = 1;
    #pragma acc parallel loop copy(count, big, bytes, halves) copyout(seen)
    for (int i = 0; i < n; i++) {
        int mine;
        #pragma acc atomic capture if(on)
        mine = count++;
        seen[i] = mine;
        #pragma acc atomic update
        bytes[i % 8] += 1;
        #pragma acc atomic
        halves[i % 4] -= 2;
        #pragma acc atomic update
        big = big + 0.5;
    }
    int sum = 0;
    for (int i = 0; i < n; i++) sum += seen[i];
    for (int i = 0; i < 8; i++) ok &= bytes[i] == n / 8;
    for (int i = 0; i < 4; i++) ok &= halves[i] == -n / 2;
    said("atomic", ok && sum == n * (n - 1) / 2 && count == n && big == 1 + n / 2);
}

/* ---- PGI's dialect ---- */

static void pgi(int m, int *restrict p, int *restrict q) {
    int ok = 1, t[3];
    for (int i = 0; i < m; i++) p[i] = i, q[i] = -1;
    #pragma acc data region copyin(p[0:m-1]) local(q[0:m-1]) updateout(q[0:m-1])
    {
        #pragma acc region
        {
            #pragma acc for independent parallel(8) vector(16) unroll(2) private(t) cache(p) kernel
            for (int i = 0; i < m; i++) { t[0] = i; q[i] = p[i] + t[0]; }
        }
    }
    #pragma acc region for copy(p[0:m-1]) seq
    for (int i = 1; i < m; i++) p[i] += p[i - 1];
    for (int i = 0; i < m; i++) ok &= p[i] == i * (i + 1) / 2 && q[i] == 2 * i;
    #pragma acc region copy(q[0:m-1])
    {
        #pragma acc for host(8)
        for (int i = 1; i < m; i++) q[i] += q[i - 1];
    }
    for (int i = 0; i < m; i++) ok &= q[i] == i * (i + 1);
    said("PGI", ok);
}

int main(void) {
    int p[n], q[n];
    conditions();
    queues();
    sizes();
    orders();
    nests();
    cached();
    devices();
    privates(7, p);
    reductions();
    defaults();
    modifiers();
    lifetimes();
    attached();
    addresses();
    operations();
    pgi(n, p, q);
    return 0;
}
