/* What <stddef.h> has besides the integers: written for unspool. */
typedef struct { long long __whole; long double __real; } max_align_t;
namespace std {
using ::max_align_t;
}
