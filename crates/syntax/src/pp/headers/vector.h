/* `std::vector` of the host, with the fields of GNU's: its functions are declared, so that host code which launches kernels
   can be followed and device code is told whose functions it calls. Written for unspool. */
namespace __gnu_cxx {
template <class I, class C> class __normal_iterator;
}
namespace std {
template <class T, class A = allocator<T>> class vector {
public:
    typedef T value_type;
    typedef A allocator_type;
    typedef unsigned long size_type;
    typedef long difference_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef __gnu_cxx::__normal_iterator<T *, vector> iterator;
    typedef __gnu_cxx::__normal_iterator<const T *, vector> const_iterator;
    vector() noexcept;
    explicit vector(const A &) noexcept;
    explicit vector(size_type, const A & = A());
    vector(size_type, const T &, const A & = A());
    vector(const vector &);
    vector(vector &&) noexcept;
    vector(initializer_list<T>, const A & = A());
    template <class I, class = typename iterator_traits<I>::iterator_category> vector(I, I, const A & = A());
    ~vector();
    vector &operator=(const vector &);
    vector &operator=(vector &&) noexcept;
    vector &operator=(initializer_list<T>);
    void assign(size_type, const T &);
    void assign(initializer_list<T>);
    template <class I, class = typename iterator_traits<I>::iterator_category> void assign(I, I);
    iterator begin() noexcept;
    iterator end() noexcept;
    const_iterator begin() const noexcept;
    const_iterator end() const noexcept;
    const_iterator cbegin() const noexcept;
    const_iterator cend() const noexcept;
    reverse_iterator<iterator> rbegin() noexcept;
    reverse_iterator<iterator> rend() noexcept;
    size_type size() const noexcept;
    size_type max_size() const noexcept;
    size_type capacity() const noexcept;
    bool empty() const noexcept;
    void resize(size_type);
    void resize(size_type, const T &);
    void reserve(size_type);
    void shrink_to_fit();
    T &operator[](size_type) noexcept;
    const T &operator[](size_type) const noexcept;
    T &at(size_type);
    const T &at(size_type) const;
    T &front() noexcept;
    const T &front() const noexcept;
    T &back() noexcept;
    const T &back() const noexcept;
    T *data() noexcept;
    const T *data() const noexcept;
    void push_back(const T &);
    void push_back(T &&);
    template <class... U> T &emplace_back(U &&...);
    template <class... U> iterator emplace(const_iterator, U &&...);
    void pop_back() noexcept;
    iterator insert(const_iterator, const T &);
    iterator insert(const_iterator, size_type, const T &);
    iterator insert(const_iterator, initializer_list<T>);
    template <class I, class = typename iterator_traits<I>::iterator_category> iterator insert(const_iterator, I, I);
    iterator erase(const_iterator);
    iterator erase(const_iterator, const_iterator);
    void clear() noexcept;
    void swap(vector &) noexcept;
    A get_allocator() const noexcept;

private:
    T *__begin, *__end, *__limit;
};
template <class A> class vector<bool, A> {
public:
    typedef bool value_type;
    typedef unsigned long size_type;
    vector();
    explicit vector(size_type, bool = false);
    vector(const vector &);
    vector(initializer_list<bool>);
    ~vector();
    vector &operator=(const vector &);
    size_type size() const noexcept;
    bool empty() const noexcept;
    void resize(size_type, bool = false);
    void assign(size_type, bool);
    void push_back(bool);
    void clear() noexcept;
    bool operator[](size_type) const;
    bool at(size_type) const;

private:
    unsigned long __words[5];
};
template <class I> vector(I, I) -> vector<typename iterator_traits<I>::value_type>;
template <class T, class A> bool operator==(const vector<T, A> &, const vector<T, A> &);
template <class T, class A> bool operator!=(const vector<T, A> &, const vector<T, A> &);
template <class T, class A> bool operator<(const vector<T, A> &, const vector<T, A> &);
}
namespace __gnu_cxx {
/* Where an iterator of the host's vectors stands. */
template <class I, class C> class __normal_iterator {
public:
    typedef typename std::iterator_traits<I>::iterator_category iterator_category;
    typedef typename std::iterator_traits<I>::value_type value_type;
    typedef typename std::iterator_traits<I>::difference_type difference_type;
    typedef typename std::iterator_traits<I>::pointer pointer;
    typedef typename std::iterator_traits<I>::reference reference;
    __normal_iterator();
    explicit __normal_iterator(const I &);
    template <class J> __normal_iterator(const __normal_iterator<J, C> &);
    reference operator*() const;
    pointer operator->() const;
    reference operator[](difference_type) const;
    __normal_iterator &operator++();
    __normal_iterator operator++(int);
    __normal_iterator &operator--();
    __normal_iterator operator--(int);
    __normal_iterator &operator+=(difference_type);
    __normal_iterator &operator-=(difference_type);
    __normal_iterator operator+(difference_type) const;
    __normal_iterator operator-(difference_type) const;
    const I &base() const;

private:
    I __at;
};
template <class I, class J, class C> bool operator==(const __normal_iterator<I, C> &, const __normal_iterator<J, C> &);
template <class I, class J, class C> bool operator!=(const __normal_iterator<I, C> &, const __normal_iterator<J, C> &);
template <class I, class J, class C> bool operator<(const __normal_iterator<I, C> &, const __normal_iterator<J, C> &);
template <class I, class J, class C>
typename __normal_iterator<I, C>::difference_type operator-(const __normal_iterator<I, C> &, const __normal_iterator<J, C> &);
}
