// Code for one side or the other, and for architectures: the macros of <nv/target> for what is compiled here, the device
// side. A block becomes a compound statement; it may stand in parentheses.
#ifndef NV_IF_TARGET
#define __nv_cat_(a, b) a##b
#define __nv_cat(a, b) __nv_cat_(a, b)
#define __nv_second_(a, b, ...) b
#define __nv_second(...) __nv_second_(__VA_ARGS__)
#define __nv_probe(...) ~, 1
#define __nv_bare(...) __VA_ARGS__
#define __nv_block_0(block) block
#define __nv_block_1(block) __nv_bare block
#define __nv_block(block) __nv_cat(__nv_block_, __nv_second(__nv_probe block, 0, 0))(block)
#define __nv_choose_1(then, other) { __nv_block(then) }
#define __nv_choose_0(then, other) { __nv_block(other) }
#define NV_IF_ELSE_TARGET(target, then, other) __nv_cat(__nv_choose_, target)(then, other)
#define __nv_if_2(target, then) NV_IF_ELSE_TARGET(target, then, )
#define __nv_if_3(target, then, other) NV_IF_ELSE_TARGET(target, then, other)
#define __nv_count(a, b, c, n, ...) n
#define NV_IF_TARGET(...) __nv_cat(__nv_if_, __nv_count(__VA_ARGS__, 3, 2, 1, 0))(__VA_ARGS__)
#define NV_IS_DEVICE 1
#define NV_IS_HOST 0
#define NV_ANY_TARGET 1
#define NV_NO_TARGET 0
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
#define NV_PROVIDES_SM_35 1
#else
#define NV_PROVIDES_SM_35 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 350
#define NV_IS_EXACTLY_SM_35 1
#else
#define NV_IS_EXACTLY_SM_35 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 370
#define NV_PROVIDES_SM_37 1
#else
#define NV_PROVIDES_SM_37 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 370
#define NV_IS_EXACTLY_SM_37 1
#else
#define NV_IS_EXACTLY_SM_37 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 500
#define NV_PROVIDES_SM_50 1
#else
#define NV_PROVIDES_SM_50 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 500
#define NV_IS_EXACTLY_SM_50 1
#else
#define NV_IS_EXACTLY_SM_50 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 520
#define NV_PROVIDES_SM_52 1
#else
#define NV_PROVIDES_SM_52 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 520
#define NV_IS_EXACTLY_SM_52 1
#else
#define NV_IS_EXACTLY_SM_52 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
#define NV_PROVIDES_SM_53 1
#else
#define NV_PROVIDES_SM_53 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 530
#define NV_IS_EXACTLY_SM_53 1
#else
#define NV_IS_EXACTLY_SM_53 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define NV_PROVIDES_SM_60 1
#else
#define NV_PROVIDES_SM_60 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 600
#define NV_IS_EXACTLY_SM_60 1
#else
#define NV_IS_EXACTLY_SM_60 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
#define NV_PROVIDES_SM_61 1
#else
#define NV_PROVIDES_SM_61 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 610
#define NV_IS_EXACTLY_SM_61 1
#else
#define NV_IS_EXACTLY_SM_61 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 620
#define NV_PROVIDES_SM_62 1
#else
#define NV_PROVIDES_SM_62 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 620
#define NV_IS_EXACTLY_SM_62 1
#else
#define NV_IS_EXACTLY_SM_62 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define NV_PROVIDES_SM_70 1
#else
#define NV_PROVIDES_SM_70 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 700
#define NV_IS_EXACTLY_SM_70 1
#else
#define NV_IS_EXACTLY_SM_70 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 720
#define NV_PROVIDES_SM_72 1
#else
#define NV_PROVIDES_SM_72 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 720
#define NV_IS_EXACTLY_SM_72 1
#else
#define NV_IS_EXACTLY_SM_72 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#define NV_PROVIDES_SM_75 1
#else
#define NV_PROVIDES_SM_75 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define NV_IS_EXACTLY_SM_75 1
#else
#define NV_IS_EXACTLY_SM_75 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define NV_PROVIDES_SM_80 1
#else
#define NV_PROVIDES_SM_80 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
#define NV_IS_EXACTLY_SM_80 1
#else
#define NV_IS_EXACTLY_SM_80 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 860
#define NV_PROVIDES_SM_86 1
#else
#define NV_PROVIDES_SM_86 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 860
#define NV_IS_EXACTLY_SM_86 1
#else
#define NV_IS_EXACTLY_SM_86 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 870
#define NV_PROVIDES_SM_87 1
#else
#define NV_PROVIDES_SM_87 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 870
#define NV_IS_EXACTLY_SM_87 1
#else
#define NV_IS_EXACTLY_SM_87 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define NV_PROVIDES_SM_89 1
#else
#define NV_PROVIDES_SM_89 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 890
#define NV_IS_EXACTLY_SM_89 1
#else
#define NV_IS_EXACTLY_SM_89 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define NV_PROVIDES_SM_90 1
#else
#define NV_PROVIDES_SM_90 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
#define NV_IS_EXACTLY_SM_90 1
#else
#define NV_IS_EXACTLY_SM_90 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define NV_PROVIDES_SM_100 1
#else
#define NV_PROVIDES_SM_100 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1000
#define NV_IS_EXACTLY_SM_100 1
#else
#define NV_IS_EXACTLY_SM_100 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1010
#define NV_PROVIDES_SM_101 1
#else
#define NV_PROVIDES_SM_101 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1010
#define NV_IS_EXACTLY_SM_101 1
#else
#define NV_IS_EXACTLY_SM_101 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1030
#define NV_PROVIDES_SM_103 1
#else
#define NV_PROVIDES_SM_103 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1030
#define NV_IS_EXACTLY_SM_103 1
#else
#define NV_IS_EXACTLY_SM_103 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1100
#define NV_PROVIDES_SM_110 1
#else
#define NV_PROVIDES_SM_110 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1100
#define NV_IS_EXACTLY_SM_110 1
#else
#define NV_IS_EXACTLY_SM_110 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
#define NV_PROVIDES_SM_120 1
#else
#define NV_PROVIDES_SM_120 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1200
#define NV_IS_EXACTLY_SM_120 1
#else
#define NV_IS_EXACTLY_SM_120 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1210
#define NV_PROVIDES_SM_121 1
#else
#define NV_PROVIDES_SM_121 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1210
#define NV_IS_EXACTLY_SM_121 1
#else
#define NV_IS_EXACTLY_SM_121 0
#endif
#endif
