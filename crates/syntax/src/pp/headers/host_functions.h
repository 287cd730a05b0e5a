/* `std::function` of the host, as large as GNU's: declared, so that host code which launches kernels can be followed and device
   code is told whose functions it calls. Written for unspool. */
namespace std {
template <class F> class function;
template <class R, class... A> class function<R(A...)> {
public:
    typedef R result_type;
    function() noexcept;
    function(decltype(nullptr)) noexcept;
    function(const function &);
    function(function &&) noexcept;
    template <class F, class = enable_if_t<!is_same<remove_cvref_t<F>, function>::value && is_invocable_r<R, remove_cvref_t<F> &, A...>::value>>
    function(F &&);
    ~function();
    function &operator=(const function &);
    function &operator=(function &&) noexcept;
    function &operator=(decltype(nullptr)) noexcept;
    template <class F, class = enable_if_t<is_invocable_r<R, remove_cvref_t<F> &, A...>::value>> function &operator=(F &&);
    R operator()(A...) const;
    explicit operator bool() const noexcept;
    void swap(function &) noexcept;

private:
    unsigned long __words[4];
};
template <class R, class... A> bool operator==(const function<R(A...)> &, decltype(nullptr)) noexcept;
template <class R, class... A> bool operator!=(const function<R(A...)> &, decltype(nullptr)) noexcept;
}
