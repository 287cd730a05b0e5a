/* By which a program tells that the host's C++ library is GNU's, and what CCCL names of that: written for unspool. */
#define __GLIBCXX__ 20220819
#define _GLIBCXX_RELEASE 12
#undef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI 0
namespace __gnu_cxx {
template <class I, class C> class __normal_iterator;
}
