// test: ptx -arch=sm_90
// Textures and surfaces are PTX's: each geometry, words narrowed to the type that is asked for.
__global__ void fetch(cudaTextureObject_t t, float *out, uchar4 *bytes, int i) {
    out[0] = tex1Dfetch<float>(t, i);
    // check: tex.1d.v4.f32.s32
    out[1] = tex2D<float>(t, i + 0.5f, 1.0f);
    // check: tex.2d.v4.f32.f32
    out[2] = tex3D<float>(t, 1.0f, 2.0f, i);
    // check: tex.3d.v4.f32.f32
    out[3] = texCubemap<float>(t, 1.0f, 2.0f, i);
    // check: tex.cube.v4.f32.f32
    out[4] = tex2DLayered<float>(t, i, 2.0f, 3);
    // check: tex.a2d.v4.f32.f32
    out[5] = tex2DLod<float>(t, i, 2.0f, 3.0f);
    // check: tex.level.2d.v4.f32.f32
    bytes[0] = tex2D<uchar4>(t, i, i);
    // check: tex.2d.v4.u32.f32
    out[6] = tex2Dgather<float4>(t, i, i, 2).x;
    // check: tld4.b.2d.v4.f32.f32
    float4 all;
    tex2D(&all, t, 1.0f, 2.0f);
    out[7] = all.w;
    // check: tex.2d.v4.f32.f32
}
__global__ void surfaces(cudaSurfaceObject_t s, float *out, uchar4 *bytes, int i) {
    surf2Dwrite(make_uchar4(1, 2, 3, 4), s, i * 4, 0);
    // check: sust.b.2d.b32.trap
    surf2Dread(&bytes[0], s, i * 4, 1, cudaBoundaryModeClamp);
    // check: suld.b.2d.b32.clamp
    surf2Dwrite<unsigned char>(7, s, i, 3, cudaBoundaryModeZero);
    // check: sust.b.2d.b8.zero
    surf3Dwrite(1.0f, s, i * 4, 1, 2);
    // check: sust.b.3d.b32.trap
    out[0] = surf1Dread<float>(s, i * 4);
    // check: suld.b.1d.b32.trap
    surf2DLayeredwrite(make_float4(1, 2, 3, 4), s, i * 16, 1, i);
    // check: sust.b.a2d.v4.b32.trap
}
// A program's own function of such a name hides CUDA's, macros of any name do not matter.
#define T 1
#define x 2
__global__ void pitched(cudaPitchedPtr p, cudaExtent e, float *out) { out[0] = *(float *)p.ptr + e.width + p.pitch; }
