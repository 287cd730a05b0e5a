/* Random numbers of the host, whose engines and distributions are as large as GNU's: declared, so that host code which launches
   kernels can be followed. Written for unspool. */
namespace std {
template <class U, unsigned long W, unsigned long N, unsigned long M, unsigned long R, U A, unsigned long X, U D, unsigned long S,
          U B, unsigned long T, U C, unsigned long L, U F>
class mersenne_twister_engine {
public:
    typedef U result_type;
    static constexpr U default_seed = 5489u;
    mersenne_twister_engine();
    explicit mersenne_twister_engine(U);
    template <class Q, class = enable_if_t<is_class<Q>::value && !is_same<Q, mersenne_twister_engine>::value>>
    explicit mersenne_twister_engine(Q &);
    void seed(U = default_seed);
    void discard(unsigned long long);
    static constexpr U min() { return 0; }
    static constexpr U max() { return U(-1) >> (8 * sizeof(U) - W); }
    U operator()();

private:
    U __state[N];
    unsigned long __at;
};
typedef mersenne_twister_engine<unsigned long, 32, 624, 397, 31, 0x9908b0dfUL, 11, 0xffffffffUL, 7, 0x9d2c5680UL, 15, 0xefc60000UL, 18,
                                1812433253UL> mt19937;
typedef mersenne_twister_engine<unsigned long, 64, 312, 156, 31, 0xb5026f5aa96619e9UL, 29, 0x5555555555555555UL, 17, 0x71d67fffeda60000UL,
                                37, 0xfff7eee000000000UL, 43, 6364136223846793005UL> mt19937_64;
template <class U, U A, U C, U M> class linear_congruential_engine {
public:
    typedef U result_type;
    static constexpr U multiplier = A, increment = C, modulus = M, default_seed = 1u;
    linear_congruential_engine();
    explicit linear_congruential_engine(U);
    void seed(U = default_seed);
    void discard(unsigned long long);
    static constexpr U min() { return C == 0u ? 1u : 0u; }
    static constexpr U max() { return M - 1u; }
    U operator()();

private:
    U __state;
};
typedef linear_congruential_engine<unsigned long, 16807UL, 0UL, 2147483647UL> minstd_rand0;
typedef linear_congruential_engine<unsigned long, 48271UL, 0UL, 2147483647UL> minstd_rand;
typedef minstd_rand0 default_random_engine;
class random_device {
public:
    typedef unsigned int result_type;
    random_device();
    explicit random_device(const string &);
    random_device(const random_device &) = delete;
    ~random_device();
    static constexpr unsigned int min() { return 0; }
    static constexpr unsigned int max() { return -1u; }
    double entropy() const noexcept;
    unsigned int operator()();

private:
    unsigned long __words[625];
};
class seed_seq {
public:
    typedef unsigned int result_type;
    seed_seq() noexcept;
    template <class T> seed_seq(initializer_list<T>);
    template <class I> seed_seq(I, I);

private:
    unsigned int *__words[3];
};
template <class T, int Numbers, bool Saved> struct __parameters {
    T __numbers[Numbers];
};
template <class T, int Numbers> struct __parameters<T, Numbers, true> {
    T __numbers[Numbers + 1];
    bool __saved;
};
template <class T, int Numbers, bool Saved> class __distribution : __parameters<T, Numbers, Saved> {
public:
    typedef T result_type;
    void reset();
    T min() const;
    T max() const;
    template <class G> T operator()(G &);
};
template <class T = double> class uniform_real_distribution : public __distribution<T, 2, false> {
public:
    uniform_real_distribution();
    explicit uniform_real_distribution(T, T = T(1));
    T a() const;
    T b() const;
};
template <class T = int> class uniform_int_distribution : public __distribution<T, 2, false> {
public:
    uniform_int_distribution();
    explicit uniform_int_distribution(T, T = numeric_limits<T>::max());
    T a() const;
    T b() const;
};
template <class T = double> class normal_distribution : public __distribution<T, 2, true> {
public:
    normal_distribution();
    explicit normal_distribution(T, T = T(1));
    T mean() const;
    T stddev() const;
};
template <class T = double> class exponential_distribution : public __distribution<T, 1, false> {
public:
    exponential_distribution();
    explicit exponential_distribution(T);
    T lambda() const;
};
class bernoulli_distribution {
public:
    typedef bool result_type;
    bernoulli_distribution();
    explicit bernoulli_distribution(double);
    void reset();
    double p() const;
    template <class G> bool operator()(G &);

private:
    double __p;
};
template <class T, unsigned long B, class G> T generate_canonical(G &);
}
