/* `std::string` of the host, with the fields of GNU's: its functions are declared, so that host code which launches kernels
   can be followed and device code is told whose functions it calls. Written for unspool. */
namespace std {
template <class C> struct char_traits;
inline namespace __cxx11 {
template <class C, class T = char_traits<C>, class A = allocator<C>> class basic_string {
public:
    typedef T traits_type;
    typedef C value_type;
    typedef A allocator_type;
    typedef unsigned long size_type;
    typedef long difference_type;
    typedef C &reference;
    typedef const C &const_reference;
    typedef C *pointer;
    typedef const C *const_pointer;
    typedef C *iterator;
    typedef const C *const_iterator;
    static constexpr size_type npos = -1;
    basic_string();
    basic_string(const basic_string &);
    basic_string(basic_string &&) noexcept;
    basic_string(const basic_string &, size_type, size_type = npos);
    basic_string(const C *);
    basic_string(const C *, size_type);
    basic_string(size_type, C);
    basic_string(initializer_list<C>);
    template <class I, class = typename iterator_traits<I>::iterator_category> basic_string(I, I);
#if __cplusplus >= 201703L
    explicit basic_string(basic_string_view<C, T>);
    basic_string &operator=(basic_string_view<C, T>);
    basic_string &operator+=(basic_string_view<C, T>);
    basic_string &append(basic_string_view<C, T>);
    operator basic_string_view<C, T>() const noexcept;
#endif
    ~basic_string();
    basic_string &operator=(const basic_string &);
    basic_string &operator=(basic_string &&) noexcept;
    basic_string &operator=(const C *);
    basic_string &operator=(C);
    iterator begin() noexcept;
    iterator end() noexcept;
    const_iterator begin() const noexcept;
    const_iterator end() const noexcept;
    const_iterator cbegin() const noexcept;
    const_iterator cend() const noexcept;
    size_type size() const noexcept;
    size_type length() const noexcept;
    size_type capacity() const noexcept;
    bool empty() const noexcept;
    void resize(size_type);
    void resize(size_type, C);
    void reserve(size_type = 0);
    void clear() noexcept;
    C &operator[](size_type);
    const C &operator[](size_type) const;
    C &at(size_type);
    const C &at(size_type) const;
    C &front();
    C &back();
    const C &front() const;
    const C &back() const;
    basic_string &operator+=(const basic_string &);
    basic_string &operator+=(const C *);
    basic_string &operator+=(C);
    basic_string &append(const basic_string &);
    basic_string &append(const C *);
    basic_string &append(const C *, size_type);
    basic_string &append(size_type, C);
    basic_string &assign(const basic_string &);
    basic_string &assign(const C *);
    basic_string &insert(size_type, const basic_string &);
    basic_string &erase(size_type = 0, size_type = npos);
    basic_string &replace(size_type, size_type, const basic_string &);
    void push_back(C);
    void pop_back();
    void swap(basic_string &) noexcept;
    const C *c_str() const noexcept;
    const C *data() const noexcept;
    C *data() noexcept;
    size_type find(const basic_string &, size_type = 0) const noexcept;
    size_type find(const C *, size_type = 0) const;
    size_type find(C, size_type = 0) const noexcept;
    size_type rfind(const basic_string &, size_type = npos) const noexcept;
    size_type rfind(const C *, size_type = npos) const;
    size_type rfind(C, size_type = npos) const noexcept;
    size_type find_first_of(const basic_string &, size_type = 0) const noexcept;
    size_type find_last_of(const basic_string &, size_type = npos) const noexcept;
    size_type find_first_not_of(const basic_string &, size_type = 0) const noexcept;
    size_type find_last_not_of(const basic_string &, size_type = npos) const noexcept;
    basic_string substr(size_type = 0, size_type = npos) const;
    int compare(const basic_string &) const noexcept;
    int compare(const C *) const;
    int compare(size_type, size_type, const basic_string &) const;

private:
    C *__p;
    size_type __n;
    union {
        C __short[16 / sizeof(C)];
        size_type __capacity;
    };
};
typedef basic_string<char> string;
typedef basic_string<wchar_t> wstring;
typedef basic_string<char16_t> u16string;
typedef basic_string<char32_t> u32string;
string to_string(int);
string to_string(unsigned);
string to_string(long);
string to_string(unsigned long);
string to_string(long long);
string to_string(unsigned long long);
string to_string(float);
string to_string(double);
string to_string(long double);
}
#define __UNSPOOL_BOTH(result, op)                                                                                     \
    template <class C, class T, class A> result operator op(const basic_string<C, T, A> &, const basic_string<C, T, A> &); \
    template <class C, class T, class A> result operator op(const basic_string<C, T, A> &, const C *);                 \
    template <class C, class T, class A> result operator op(const C *, const basic_string<C, T, A> &);
#define __UNSPOOL_STRING basic_string<C, T, A>
__UNSPOOL_BOTH(__UNSPOOL_STRING, +)
__UNSPOOL_BOTH(bool, ==)
__UNSPOOL_BOTH(bool, !=)
__UNSPOOL_BOTH(bool, <)
__UNSPOOL_BOTH(bool, >)
__UNSPOOL_BOTH(bool, <=)
__UNSPOOL_BOTH(bool, >=)
#undef __UNSPOOL_STRING
#undef __UNSPOOL_BOTH
template <class C, class T, class A> basic_string<C, T, A> operator+(const basic_string<C, T, A> &, C);
template <class C, class T, class A> basic_string<C, T, A> operator+(C, const basic_string<C, T, A> &);
int stoi(const string &, unsigned long * = nullptr, int = 10);
long stol(const string &, unsigned long * = nullptr, int = 10);
long long stoll(const string &, unsigned long * = nullptr, int = 10);
unsigned long stoul(const string &, unsigned long * = nullptr, int = 10);
unsigned long long stoull(const string &, unsigned long * = nullptr, int = 10);
float stof(const string &, unsigned long * = nullptr);
double stod(const string &, unsigned long * = nullptr);
inline namespace literals {
inline namespace string_literals {
string operator""s(const char *, unsigned long);
}
}
}
