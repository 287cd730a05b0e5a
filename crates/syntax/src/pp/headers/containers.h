/* Containers of the host, as large as GNU's: declared, so that host code which launches kernels can be followed. Written for
   unspool. */
namespace std {
template <class T> struct hash {
    unsigned long operator()(const T &) const;
};
template <class T> struct __node_iterator {
    typedef bidirectional_iterator_tag iterator_category;
    typedef remove_const_t<T> value_type;
    typedef long difference_type;
    typedef T *pointer;
    typedef T &reference;
    __node_iterator();
    __node_iterator(const __node_iterator<remove_const_t<T>> &);
    T &operator*() const;
    T *operator->() const;
    __node_iterator &operator++();
    __node_iterator operator++(int);
    __node_iterator &operator--();
    __node_iterator operator--(int);
    bool operator==(const __node_iterator<const T> &) const;
    bool operator!=(const __node_iterator<const T> &) const;
    void *__node;
};
/* What all of them have: NAME, how many words, the iterator's element, what inserting gives. */
#define __UNSPOOL_COMMON(NAME, ELEMENT)                                                                                \
    typedef unsigned long size_type;                                                                                   \
    typedef __node_iterator<ELEMENT> iterator;                                                                         \
    typedef __node_iterator<const value_type> const_iterator;                                                          \
    typedef pair<iterator, bool> __inserted;                                                                           \
    NAME();                                                                                                            \
    NAME(const NAME &);                                                                                                \
    NAME(NAME &&);                                                                                                     \
    NAME(initializer_list<value_type>);                                                                                \
    template <class I, class = typename iterator_traits<I>::iterator_category> NAME(I, I);                             \
    ~NAME();                                                                                                           \
    NAME &operator=(const NAME &);                                                                                     \
    NAME &operator=(NAME &&);                                                                                          \
    NAME &operator=(initializer_list<value_type>);                                                                     \
    iterator begin() noexcept;                                                                                         \
    iterator end() noexcept;                                                                                           \
    const_iterator begin() const noexcept;                                                                             \
    const_iterator end() const noexcept;                                                                               \
    const_iterator cbegin() const noexcept;                                                                            \
    const_iterator cend() const noexcept;                                                                              \
    bool empty() const noexcept;                                                                                       \
    size_type size() const noexcept;                                                                                   \
    void clear() noexcept;                                                                                             \
    void swap(NAME &);                                                                                                 \
    iterator erase(const_iterator);                                                                                    \
    iterator erase(const_iterator, const_iterator);
#define __UNSPOOL_KEYED(NAME, WORDS, ELEMENT, INSERTED)                                                                \
public:                                                                                                                \
    typedef K key_type;                                                                                                \
    __UNSPOOL_COMMON(NAME, ELEMENT)                                                                                    \
    iterator find(const K &);                                                                                          \
    const_iterator find(const K &) const;                                                                              \
    size_type count(const K &) const;                                                                                  \
    bool contains(const K &) const;                                                                                    \
    size_type erase(const K &);                                                                                        \
    iterator lower_bound(const K &);                                                                                   \
    const_iterator lower_bound(const K &) const;                                                                       \
    iterator upper_bound(const K &);                                                                                   \
    const_iterator upper_bound(const K &) const;                                                                       \
    pair<iterator, iterator> equal_range(const K &);                                                                   \
    void reserve(size_type);                                                                                           \
    INSERTED insert(const value_type &);                                                                               \
    INSERTED insert(value_type &&);                                                                                    \
    void insert(initializer_list<value_type>);                                                                         \
    template <class I, class = typename iterator_traits<I>::iterator_category> void insert(I, I);                      \
    template <class... U> INSERTED emplace(U &&...);                                                                   \
                                                                                                                       \
private:                                                                                                               \
    unsigned long __words[WORDS];
#define __UNSPOOL_MAPPED                                                                                               \
public:                                                                                                                \
    V &operator[](const K &);                                                                                          \
    V &at(const K &);                                                                                                  \
    const V &at(const K &) const;                                                                                      \
    template <class... U> pair<iterator, bool> try_emplace(const K &, U &&...);                                        \
    template <class U> pair<iterator, bool> insert_or_assign(const K &, U &&);
#define __UNSPOOL_MAP(NAME, WORDS, ...)                                                                                \
    template <class K, class V, __VA_ARGS__, class A = allocator<pair<const K, V>>> class NAME {                       \
    public:                                                                                                            \
        typedef V mapped_type;                                                                                         \
        typedef pair<const K, V> value_type;                                                                           \
        __UNSPOOL_KEYED(NAME, WORDS, value_type, __inserted)                                                   \
        __UNSPOOL_MAPPED                                                                                               \
    };                                                                                                                 \
    template <class K, class V, __VA_ARGS__, class A = allocator<pair<const K, V>>> class __UNSPOOL_JOIN(NAME) {       \
    public:                                                                                                            \
        typedef V mapped_type;                                                                                         \
        typedef pair<const K, V> value_type;                                                                           \
        __UNSPOOL_KEYED(__UNSPOOL_JOIN(NAME), WORDS, value_type, iterator)                                             \
    };
#define __UNSPOOL_SET(NAME, WORDS, INSERTED, ...)                                                                      \
    template <class K, __VA_ARGS__, class A = allocator<K>> class NAME {                                               \
    public:                                                                                                            \
        typedef K value_type;                                                                                          \
        __UNSPOOL_KEYED(NAME, WORDS, const value_type, INSERTED)                                                       \
    };
#define __UNSPOOL_JOIN(NAME) multi##NAME
__UNSPOOL_MAP(map, 6, class L = less<K>)
__UNSPOOL_SET(set, 6, __inserted, class L = less<K>)
__UNSPOOL_SET(multiset, 6, iterator, class L = less<K>)
#undef __UNSPOOL_JOIN
#define __UNSPOOL_JOIN(NAME) unordered_multimap
__UNSPOOL_MAP(unordered_map, 7, class H = hash<K>, class E = equal_to<K>)
__UNSPOOL_SET(unordered_set, 7, __inserted, class H = hash<K>, class E = equal_to<K>)
__UNSPOOL_SET(unordered_multiset, 7, iterator, class H = hash<K>, class E = equal_to<K>)
#undef __UNSPOOL_JOIN
#undef __UNSPOOL_SET
#undef __UNSPOOL_MAP
#undef __UNSPOOL_MAPPED
#undef __UNSPOOL_KEYED
#define __UNSPOOL_SEQUENCE(NAME, WORDS)                                                                                \
    template <class T, class A = allocator<T>> class NAME {                                                            \
    public:                                                                                                            \
        typedef T value_type;                                                                                          \
        __UNSPOOL_COMMON(NAME, value_type)                                                                             \
        explicit NAME(size_type);                                                                                      \
        NAME(size_type, const T &);                                                                                    \
        T &front();                                                                                                    \
        const T &front() const;                                                                                        \
        T &back();                                                                                                     \
        const T &back() const;                                                                                         \
        T &operator[](size_type);                                                                                      \
        const T &operator[](size_type) const;                                                                          \
        void push_front(const T &);                                                                                    \
        void push_back(const T &);                                                                                     \
        void pop_front();                                                                                              \
        void pop_back();                                                                                               \
        void resize(size_type);                                                                                        \
        iterator insert(const_iterator, const T &);                                                                    \
        template <class... U> T &emplace_front(U &&...);                                                               \
        template <class... U> T &emplace_back(U &&...);                                                                \
                                                                                                                       \
    private:                                                                                                           \
        unsigned long __words[WORDS];                                                                                  \
    };
__UNSPOOL_SEQUENCE(list, 3)
__UNSPOOL_SEQUENCE(deque, 10)
#undef __UNSPOOL_SEQUENCE
#undef __UNSPOOL_COMMON
}
