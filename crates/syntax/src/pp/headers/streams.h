/* The streams of the host, as large as GNU's: declared, so that host code which launches kernels can be followed. Written for
   unspool. */
namespace std {
class ios_base {
public:
    typedef int fmtflags;
    typedef int openmode;
    typedef long streamsize;
    static constexpr fmtflags fixed = 4, scientific = 256, hex = 8, dec = 2, left = 32, right = 128, boolalpha = 1;
    static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32;
    static bool sync_with_stdio(bool = true);
    fmtflags flags() const;
    fmtflags flags(fmtflags);
    fmtflags setf(fmtflags);
    long precision() const;
    long precision(long);
    long width() const;
    long width(long);
};
typedef long streamsize;
typedef long streamoff;
template <class C, class T = char_traits<C>> class basic_streambuf;
typedef basic_streambuf<char> streambuf;
template <class C, class T = char_traits<C>> class basic_ios : public ios_base {
public:
    bool good() const;
    bool eof() const;
    bool fail() const;
    bool bad() const;
    explicit operator bool() const;
    bool operator!() const;
    void clear(int = 0);
    basic_streambuf<C, T> *rdbuf() const;
    basic_streambuf<C, T> *rdbuf(basic_streambuf<C, T> *);
    C fill() const;
    C fill(C);
};
typedef basic_ios<char> ios;
#define __UNSPOOL_NUMBERS(S, op, R)                                                                                    \
    S &operator op(bool R);                                                                                            \
    S &operator op(short R);                                                                                           \
    S &operator op(unsigned short R);                                                                                  \
    S &operator op(int R);                                                                                             \
    S &operator op(unsigned R);                                                                                        \
    S &operator op(long R);                                                                                            \
    S &operator op(unsigned long R);                                                                                   \
    S &operator op(long long R);                                                                                       \
    S &operator op(unsigned long long R);                                                                              \
    S &operator op(float R);                                                                                           \
    S &operator op(double R);                                                                                          \
    S &operator op(long double R);
template <class C, class T = char_traits<C>> class basic_ostream : public basic_ios<C, T> {
public:
    typedef C char_type;
    typedef T traits_type;
    ~basic_ostream();
    __UNSPOOL_NUMBERS(basic_ostream, <<, )
    basic_ostream &operator<<(const void *);
    basic_ostream &operator<<(basic_streambuf<C, T> *);
    basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &));
    basic_ostream &operator<<(ios_base &(*)(ios_base &));
    basic_ostream &put(C);
    basic_ostream &write(const C *, long);
    basic_ostream &flush();
    long tellp();
    basic_ostream &seekp(long);

private:
    unsigned long __words[34];
};
template <class C, class T = char_traits<C>> class basic_istream : public basic_ios<C, T> {
public:
    typedef C char_type;
    typedef T traits_type;
    ~basic_istream();
    __UNSPOOL_NUMBERS(basic_istream, >>, &)
    basic_istream &operator>>(void *&);
    basic_istream &operator>>(basic_istream &(*)(basic_istream &));
    basic_istream &operator>>(ios_base &(*)(ios_base &));
    long gcount() const;
    int get();
    int peek();
    basic_istream &get(C &);
    basic_istream &unget();
    basic_istream &putback(C);
    basic_istream &getline(C *, long);
    basic_istream &ignore(long = 1, int = -1);
    basic_istream &read(C *, long);
    long tellg();
    basic_istream &seekg(long);
    basic_istream &seekg(long, int);

private:
    unsigned long __words[35];
};
#undef __UNSPOOL_NUMBERS
typedef basic_ostream<char> ostream;
typedef basic_istream<char> istream;
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const char *);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, signed char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, unsigned char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const signed char *);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const unsigned char *);
template <class C, class T, class A> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, const basic_string<C, T, A> &);
#if __cplusplus >= 201703L
template <class C, class T> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, basic_string_view<C, T>);
#endif
template <class C, class T> basic_istream<C, T> &operator>>(basic_istream<C, T> &, C &);
template <class C, class T> basic_istream<C, T> &operator>>(basic_istream<C, T> &, C *);
template <class C, class T, class A> basic_istream<C, T> &operator>>(basic_istream<C, T> &, basic_string<C, T, A> &);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &, basic_string<C, T, A> &);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &, basic_string<C, T, A> &, C);
template <class C, class T> basic_ostream<C, T> &endl(basic_ostream<C, T> &);
template <class C, class T> basic_ostream<C, T> &ends(basic_ostream<C, T> &);
template <class C, class T> basic_ostream<C, T> &flush(basic_ostream<C, T> &);
template <class C, class T> basic_istream<C, T> &ws(basic_istream<C, T> &);
ios_base &fixed(ios_base &);
ios_base &scientific(ios_base &);
ios_base &hex(ios_base &);
ios_base &dec(ios_base &);
ios_base &left(ios_base &);
ios_base &right(ios_base &);
ios_base &boolalpha(ios_base &);
extern istream cin;
extern ostream cout, cerr, clog;
}
