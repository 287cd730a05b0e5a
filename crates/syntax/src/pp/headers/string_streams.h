/* The host's streams in memory, as large as GNU's: declared, so that host code which launches kernels can be followed. Written
   for unspool. */
namespace std {
template <class C, class T = char_traits<C>, class A = allocator<C>> class basic_ostringstream : public basic_ostream<C, T> {
public:
    basic_ostringstream();
    explicit basic_ostringstream(int);
    explicit basic_ostringstream(const basic_string<C, T, A> &, int = 16);
    ~basic_ostringstream();
    basic_string<C, T, A> str() const;
    void str(const basic_string<C, T, A> &);

private:
    unsigned long __buffer[13];
};
template <class C, class T = char_traits<C>, class A = allocator<C>> class basic_istringstream : public basic_istream<C, T> {
public:
    basic_istringstream();
    explicit basic_istringstream(const basic_string<C, T, A> &, int = 8);
    ~basic_istringstream();
    basic_string<C, T, A> str() const;
    void str(const basic_string<C, T, A> &);

private:
    unsigned long __buffer[13];
};
template <class C, class T = char_traits<C>, class A = allocator<C>>
class basic_stringstream : public basic_ostream<C, T> {
public:
    basic_stringstream();
    explicit basic_stringstream(const basic_string<C, T, A> &, int = 24);
    ~basic_stringstream();
    basic_string<C, T, A> str() const;
    void str(const basic_string<C, T, A> &);
    /* It is an input, too, which is no base here: two bases would have the state of streams twice. */
    operator basic_istream<C, T> &();
    template <class V> basic_istream<C, T> &operator>>(V &&);

private:
    unsigned long __buffer[15];
};
typedef basic_ostringstream<char> ostringstream;
typedef basic_istringstream<char> istringstream;
typedef basic_stringstream<char> stringstream;
}
