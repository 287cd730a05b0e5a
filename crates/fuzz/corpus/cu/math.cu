__global__ void m(double *d, float *f, long long *l, unsigned char *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    f[i] = sinf(f[i]) * expf(-f[i]) + fmaf(f[i], 2.f, rsqrtf(f[i])) / 3.f + powf(f[i], .5f);
    d[i] = sqrt(d[i]) + fabs(d[i]) + floor(d[i]) + (double)l[i];
    l[i] = l[i] / 7 + l[i] % 10 - (l[i] >> 3) + __mulhi((int)l[i], 5) + (long long)f[i];
    c[i] = (unsigned char)(c[i] * 3 / 2) ^ ~c[i];
    f[i] = isnan(f[i]) ? 0 : fminf(fmaxf(f[i], -1), 1);
}
