#pragma clang diagnostic ignored "-Wgnu-line-marker"
/* What code made from accelerator directives says to the run-time library (crates/accrt). */
struct __unspool_acc_site { const char *file, *function; int line; int kind; int device; int flags; };
struct __unspool_acc_item {
    const char *name; int kind; int flags; void *base; unsigned long bytes; void **pointer; int ndims; const long *dims;
};
struct __unspool_acc_kernel {
    void (*code)(void *, void *); const char *name; const struct __unspool_acc_image *image;
    int line; int local; int bases; int block; int rows; int team; int by_columns;
};
struct __unspool_acc_gpu_code { int capability; const char *text; };
struct __unspool_acc_image { int count; const struct __unspool_acc_gpu_code *codes; };
struct __unspool_acc_clauses { int condition; int has_async; long async; int wait_all; int nwaits; const long *waits; int self; };
extern void __unspool_acc_fill(struct __unspool_acc_item *, const struct __unspool_acc_item *, int, void *const *);
extern int __unspool_acc_enter(const struct __unspool_acc_site *, struct __unspool_acc_item *, int, const struct __unspool_acc_clauses *);
extern void __unspool_acc_exit(const struct __unspool_acc_site *, struct __unspool_acc_item *, int, const struct __unspool_acc_clauses *);
/* A place among a launch's arguments; the item may be none (-1). */
struct __unspool_acc_place { const char *name; int item; int offset; };
/* Bytes of the arguments, where among them the extents are (-1: one), and the places. */
struct __unspool_acc_call { unsigned long bytes; int extents[3]; int nplaces; const struct __unspool_acc_place *places; };
extern void *__unspool_acc_scratch(unsigned long);
extern void *__unspool_acc_first(const void *, unsigned long);
extern int __unspool_acc_kind(const struct __unspool_acc_site *);
extern long __unspool_acc_by_device(long on_gpu, long elsewhere);
extern void __unspool_acc_gangs(long, int);
extern void __unspool_acc_step(void);
extern void __unspool_acc_run(const struct __unspool_acc_site *, const struct __unspool_acc_kernel *, const struct __unspool_acc_call *, const struct __unspool_acc_item *, void *, long);
extern void __unspool_acc_data(const struct __unspool_acc_site *, struct __unspool_acc_item *, int, const struct __unspool_acc_clauses *);
extern void *__unspool_acc_use_device(const struct __unspool_acc_site *, const char *, void *, int, int);
extern void __unspool_acc_wait(const struct __unspool_acc_site *, const struct __unspool_acc_clauses *);
extern void __unspool_acc_control(const struct __unspool_acc_site *, int, const char *, int, long, int);
struct __unspool_acc_scope { const struct __unspool_acc_site *site; struct __unspool_acc_item *items; int n; };
struct __unspool_acc_check { const char *array, *index; int line, dimension; };
extern void *__unspool_acc_watch(const struct __unspool_acc_check *, int);
extern long __unspool_acc_bound(const struct __unspool_acc_item *, const void *, unsigned long, int);
extern int __unspool_acc_rows_apart(const struct __unspool_acc_item *);
extern int __unspool_acc_apart(const struct __unspool_acc_item *, const struct __unspool_acc_item *);
extern void __unspool_acc_compiled(int, int);
extern void __unspool_acc_leave(struct __unspool_acc_scope *);
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_trip(long span, long step)
{ return step > 0 && span >= step ? span / step : 0; }
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_lesser(long a, long b) { return a < b ? a : b; }
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_greater(long a, long b) { return a > b ? a : b; }
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_times(long a, long b)
{ long n; return __builtin_mul_overflow(a, b, &n) ? 0x7fffffffffffffffL : n; }
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_items(long n, long block, long most)
{ return n >= most ? most : n < 1 ? block : (n + block - 1) / block * block; }
/* Fewer of them on GPUs, where the program says how many blocks there are. */
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_of_gangs(long items, long gangs, long block)
{ return gangs > 0 && gangs < items / block ? __unspool_acc_by_device(gangs * block, items) : items; }
/* Fewer of them, whole blocks, where each has much memory of its own: 256 MiB for all. */
static __inline__ __attribute__((unused, always_inline)) long __unspool_acc_within(long items, long block, unsigned long bytes)
{ const unsigned long fit = bytes ? (256ul << 20) / bytes / (unsigned long)block * (unsigned long)block : (unsigned long)items;
  return fit >= (unsigned long)items ? items : fit ? (long)fit : block; }
/* Where one thread runs all of a region it is the first gang's only lane. */
static __inline__ __attribute__((unused)) int __pgi_gangidx(void) { return 0; }
static __inline__ __attribute__((unused)) int __pgi_workeridx(void) { return 0; }
static __inline__ __attribute__((unused)) int __pgi_vectoridx(void) { return 0; }
static __inline__ __attribute__((unused)) int __builtin_goacc_parlevel_id(int level) { return 0 * level; }
static __inline__ __attribute__((unused)) int __builtin_goacc_parlevel_size(int level) { return 1 + 0 * level; }
/* On the host its compiler proves what it can; without optimisation nothing. */
static __inline__ __attribute__((unused, always_inline)) int __builtin_provable(_Bool x) { return __builtin_constant_p(x) && x; }
