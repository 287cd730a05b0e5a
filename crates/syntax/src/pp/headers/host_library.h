/* By which a program tells that the host's C++ library is GNU's, and what CCCL names of that: written for unspool. */
#define __GLIBCXX__ 20220819
#define _GLIBCXX_RELEASE 12
#define _GLIBCXX_HOSTED 1
#define _GLIBCXX_USE_WCHAR_T 1
#define _GLIBCXX_USE_DEPRECATED 1
#define _GLIBCXX_USE_LONG_LONG 1
#define _GLIBCXX_HAS_GTHREADS 1
#define _GLIBCXX_USE_C99_STDINT_TR1 1
#undef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI 0
namespace __gnu_cxx {
template <class I, class C> class __normal_iterator;
}
