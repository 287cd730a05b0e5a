/* Threads of the host and their locks, as large as GNU's: declared, so that host code which launches kernels can be followed.
   Written for unspool. */
namespace std {
class mutex {
public:
    constexpr mutex() noexcept;
    mutex(const mutex &) = delete;
    ~mutex();
    mutex &operator=(const mutex &) = delete;
    void lock();
    bool try_lock() noexcept;
    void unlock();

private:
    unsigned long __words[5];
};
class recursive_mutex : public mutex {};
template <class M> class lock_guard {
public:
    typedef M mutex_type;
    explicit lock_guard(M &);
    lock_guard(const lock_guard &) = delete;
    ~lock_guard();

private:
    M &__m;
};
template <class M> class unique_lock {
public:
    typedef M mutex_type;
    unique_lock() noexcept;
    explicit unique_lock(M &);
    template <class T> unique_lock(M &, T);
    unique_lock(unique_lock &&) noexcept;
    ~unique_lock();
    unique_lock &operator=(unique_lock &&) noexcept;
    void lock();
    bool try_lock();
    void unlock();
    bool owns_lock() const noexcept;
    explicit operator bool() const noexcept;

private:
    M *__m;
    bool __owns;
};
#if __cplusplus >= 201703L
template <class... M> class scoped_lock {
public:
    explicit scoped_lock(M &...);
    scoped_lock(const scoped_lock &) = delete;
    ~scoped_lock();

private:
    tuple<M &...> __m;
};
#endif
struct once_flag {
    constexpr once_flag() noexcept;
    once_flag(const once_flag &) = delete;

private:
    int __done;
};
template <class F, class... A> void call_once(once_flag &, F &&f, A &&...a) { f(static_cast<A &&>(a)...); }
class condition_variable {
public:
    condition_variable();
    condition_variable(const condition_variable &) = delete;
    ~condition_variable();
    void notify_one() noexcept;
    void notify_all() noexcept;
    void wait(unique_lock<mutex> &);
    template <class P> void wait(unique_lock<mutex> &, P);

private:
    unsigned long __words[6];
};
class thread {
public:
    class id {
        unsigned long __id;
    };
    thread() noexcept;
    /* It has a body for what the thread launches. */
    template <class F, class... A, class = enable_if_t<!is_same<remove_cvref_t<F>, thread>::value>> explicit thread(F &&f, A &&...a) {
        std::__invoked(static_cast<F &&>(f), static_cast<A &&>(a)...);
    }
    thread(thread &&) noexcept;
    thread(const thread &) = delete;
    ~thread();
    thread &operator=(thread &&) noexcept;
    bool joinable() const noexcept;
    void join();
    void detach();
    id get_id() const noexcept;
    static unsigned hardware_concurrency() noexcept;

private:
    id __id;
};
}
