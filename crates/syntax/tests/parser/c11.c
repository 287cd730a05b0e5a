int f(int a[static 3], int n, int m[n][*]);
typedef int (*fp)(int, ...);
fp table[3], (*get(void))(int);
struct node { struct node *next; union { int i; float f; }; unsigned flag : 1, : 3; char tail[]; };
enum e { A, B = 3, C, };
_Static_assert(sizeof(int) == 4, "int");
static inline __attribute__((always_inline, aligned(16))) unsigned long long int g(register const char *s) {
  struct node n = { .next = 0, .i = 1 }, *p = &n;
  int q[5] = { [0 ... 2] = 1, [4] = 2 }, r = ({ int t = 1; t + 1; });
  struct node old = { flag: 1 };
  __typeof__(r) *tp = &r;
  int k = r ?: 2, z = __builtin_offsetof(struct node, i);
  p->i = _Generic(k, int: 1, default: 2) + sizeof(struct node) + sizeof k + _Alignof(int);
  int same = __builtin_types_compatible_p(int, long);
  fp *pf = (fp *)0; (*pf)(1, (struct node){0}.i, "a" "b", 'c');
  goto out;
out:
  asm volatile("mov %0, %1" : "=r"(k), [x] "+r"(z) : "r"(r) : "memory", "cc");
  for (int i = 0, j = 1; i < j; i++, j--) ;
  if (k) if (z) return 1; else return 2;
  return k ? z : k << 2 | 3 & 4 ^ ~5;
}
#pragma acc parallel loop copy(x)
int x[10];
