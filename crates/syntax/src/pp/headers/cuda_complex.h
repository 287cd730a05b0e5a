/* Complex numbers by the names of CUDA's C++ library and of Thrust: written for unspool. */
namespace cuda {
namespace std = ::std;
}
namespace thrust {
using ::std::abs;
using ::std::arg;
using ::std::complex;
using ::std::conj;
using ::std::exp;
using ::std::norm;
using ::std::polar;
}
