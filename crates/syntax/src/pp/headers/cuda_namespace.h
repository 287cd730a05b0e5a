/* `cuda::std` of these headers; libcu++ has one of its own, which a host's header alone must not become. */
namespace cuda {
namespace std = ::std;
}
