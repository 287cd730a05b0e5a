/* Results of C's divisions: written for unspool. */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
namespace std {
using ::div_t; using ::ldiv_t; using ::lldiv_t;
}
