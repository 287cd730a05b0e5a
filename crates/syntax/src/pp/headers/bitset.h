/* Sets of bits of the host, as large as GNU's: declared, so that host code which launches kernels can be followed. Written for
   unspool. */
namespace std {
template <unsigned long N> struct __bits {
    unsigned long __words[(N + 63) / 64];
};
template <> struct __bits<0> {};
template <unsigned long N> class bitset : private __bits<N> {
public:
    class reference {
    public:
        ~reference();
        reference &operator=(bool) noexcept;
        reference &operator=(const reference &) noexcept;
        operator bool() const noexcept;
        bool operator~() const noexcept;
        reference &flip() noexcept;

    private:
        unsigned long *__word, __at;
    };
    constexpr bitset() noexcept;
    constexpr bitset(unsigned long long) noexcept;
    template <class C, class T, class A> explicit bitset(const basic_string<C, T, A> &);
    template <class C> explicit bitset(const C *);
    bitset &operator&=(const bitset &) noexcept;
    bitset &operator|=(const bitset &) noexcept;
    bitset &operator^=(const bitset &) noexcept;
    bitset &operator<<=(unsigned long) noexcept;
    bitset &operator>>=(unsigned long) noexcept;
    bitset operator~() const noexcept;
    bitset operator<<(unsigned long) const noexcept;
    bitset operator>>(unsigned long) const noexcept;
    bitset &set() noexcept;
    bitset &set(unsigned long, bool = true);
    bitset &reset() noexcept;
    bitset &reset(unsigned long);
    bitset &flip() noexcept;
    bitset &flip(unsigned long);
    bool operator[](unsigned long) const;
    reference operator[](unsigned long);
    bool operator==(const bitset &) const noexcept;
    bool operator!=(const bitset &) const noexcept;
    unsigned long to_ulong() const;
    unsigned long long to_ullong() const;
    string to_string() const;
    unsigned long count() const noexcept;
    constexpr unsigned long size() const noexcept { return N; }
    bool test(unsigned long) const;
    bool all() const noexcept;
    bool any() const noexcept;
    bool none() const noexcept;
};
template <unsigned long N> bitset<N> operator&(const bitset<N> &, const bitset<N> &) noexcept;
template <unsigned long N> bitset<N> operator|(const bitset<N> &, const bitset<N> &) noexcept;
template <unsigned long N> bitset<N> operator^(const bitset<N> &, const bitset<N> &) noexcept;
}
