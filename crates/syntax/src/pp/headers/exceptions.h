/* The exceptions of the host, as large as GNU's: declared, so that host code which launches kernels can be followed. Written
   for unspool. */
namespace std {
class exception {
public:
    exception() noexcept;
    exception(const exception &) noexcept;
    exception &operator=(const exception &) noexcept;
    virtual ~exception();
    virtual const char *what() const noexcept;
};
class bad_exception : public exception {};
class bad_alloc : public exception {};
class bad_cast : public exception {};
#define __UNSPOOL_EXCEPTION(name, base, ...)                                                                           \
    class name : public base {                                                                                         \
    public:                                                                                                            \
        explicit name(const char *);                                                                                   \
        explicit name(const string &);                                                                                 \
        name(const name &) noexcept;                                                                                   \
        name &operator=(const name &) noexcept;                                                                        \
        virtual ~name();                                                                                               \
        __VA_ARGS__                                                                                                    \
    };
__UNSPOOL_EXCEPTION(logic_error, exception, virtual const char *what() const noexcept; private: void *__text;)
__UNSPOOL_EXCEPTION(runtime_error, exception, virtual const char *what() const noexcept; private: void *__text;)
__UNSPOOL_EXCEPTION(domain_error, logic_error)
__UNSPOOL_EXCEPTION(invalid_argument, logic_error)
__UNSPOOL_EXCEPTION(length_error, logic_error)
__UNSPOOL_EXCEPTION(out_of_range, logic_error)
__UNSPOOL_EXCEPTION(range_error, runtime_error)
__UNSPOOL_EXCEPTION(overflow_error, runtime_error)
__UNSPOOL_EXCEPTION(underflow_error, runtime_error)
#undef __UNSPOOL_EXCEPTION
}
