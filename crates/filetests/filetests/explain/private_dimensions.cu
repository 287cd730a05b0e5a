// test: explain -arch=sm_90
// A private array counts with the dimensions whose index is no constant, and only where the access varies in the loop:
// thresholds of the unroller are multiplied by that many, up to six.
struct Inner { float c[3]; };
#define FILL for (int z = 0; z < q; z++) a[z % 7][z % 5] = in[z];
extern "C" __global__ void rows(float *o, const float *in, int n, int m, int q) {
    float a[7][5];
    FILL
    for (int i = 0; i < n; i++) a[i][2] += in[i];
    *o = a[m][q];
}
// check: private array of 7
extern "C" __global__ void columns(float *o, const float *in, int n, int m, int q) {
    float a[7][5];
    FILL
    for (int i = 0; i < n; i++) a[2][i] += in[i];
    *o = a[m][q];
}
// check: private array of 5
extern "C" __global__ void both(float *o, const float *in, int n, int m, int q) {
    float a[7][5];
    FILL
    for (int i = 0; i < n; i++) a[i][m] += in[i];
    *o = a[m][q];
}
// check: private array of 35
extern "C" __global__ void of_records(float *o, const float *in, int n, int m, int q) {
    Inner a[7];
    for (int z = 0; z < q; z++) a[m].c[z] = in[z];
    for (int i = 0; i < n; i++) a[2].c[i] += in[i];
    *o = a[m].c[q];
}
// check: private array of 3
// A bound that another loop has left: at most four, whichever way it was left.
extern "C" __global__ void left_by_another(float *o, const int *in, int m) {
    int parent[5], n, t;
    for (int i = 0; i < 5; i++) parent[i] = in[i];
    for (n = 0; n < 4; n++) {
        if (parent[n] < 0) break;
        parent[n] = in[parent[n]] + 1;
    }
    for (t = n; t > 0; t--) parent[t] = parent[t - 1];
    o[0] = parent[n];
    o[1] = parent[m];
}
// check: 42:5
// check: unrolled fully for at most 4 iterations, with side exits
