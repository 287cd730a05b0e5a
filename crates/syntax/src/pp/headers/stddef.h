/* What <stddef.h> has besides the integers: written for unspool. */
typedef struct { long long __whole; __attribute__((aligned(16))) long long __widest[2]; } max_align_t;
namespace std {
using ::max_align_t;
}
