/* Where the host's containers have memory from, as large as GNU's: declared, so that host code which launches kernels can be
   followed. Written for unspool. */
namespace std {
namespace pmr {
class memory_resource {
public:
    memory_resource() = default;
    memory_resource(const memory_resource &) = default;
    virtual ~memory_resource();
    memory_resource &operator=(const memory_resource &) = default;
    void *allocate(unsigned long bytes, unsigned long align = 16);
    void deallocate(void *p, unsigned long bytes, unsigned long align = 16);
    bool is_equal(const memory_resource &) const noexcept;

private:
    virtual void *do_allocate(unsigned long, unsigned long) = 0;
    virtual void do_deallocate(void *, unsigned long, unsigned long) = 0;
    virtual bool do_is_equal(const memory_resource &) const noexcept = 0;
};
bool operator==(const memory_resource &, const memory_resource &) noexcept;
bool operator!=(const memory_resource &, const memory_resource &) noexcept;
memory_resource *new_delete_resource() noexcept;
memory_resource *null_memory_resource() noexcept;
memory_resource *get_default_resource() noexcept;
memory_resource *set_default_resource(memory_resource *) noexcept;
template <class T> class polymorphic_allocator {
public:
    typedef T value_type;
    polymorphic_allocator() noexcept;
    polymorphic_allocator(memory_resource *);
    polymorphic_allocator(const polymorphic_allocator &) = default;
    template <class U> polymorphic_allocator(const polymorphic_allocator<U> &) noexcept;
    T *allocate(unsigned long);
    void deallocate(T *, unsigned long) noexcept;
    memory_resource *resource() const;

private:
    memory_resource *__from;
};
struct pool_options {
    unsigned long max_blocks_per_chunk = 0, largest_required_pool_block = 0;
};
class monotonic_buffer_resource : public memory_resource {
public:
    monotonic_buffer_resource() noexcept;
    explicit monotonic_buffer_resource(memory_resource *) noexcept;
    explicit monotonic_buffer_resource(unsigned long) noexcept;
    monotonic_buffer_resource(unsigned long, memory_resource *) noexcept;
    monotonic_buffer_resource(void *, unsigned long) noexcept;
    monotonic_buffer_resource(void *, unsigned long, memory_resource *) noexcept;
    monotonic_buffer_resource(const monotonic_buffer_resource &) = delete;
    ~monotonic_buffer_resource() override;
    void release() noexcept;
    memory_resource *upstream_resource() const noexcept;

protected:
    void *do_allocate(unsigned long, unsigned long) override;
    void do_deallocate(void *, unsigned long, unsigned long) override;
    bool do_is_equal(const memory_resource &) const noexcept override;

private:
    unsigned long __words[7];
};
class unsynchronized_pool_resource : public memory_resource {
public:
    unsynchronized_pool_resource();
    explicit unsynchronized_pool_resource(memory_resource *);
    explicit unsynchronized_pool_resource(const pool_options &);
    unsynchronized_pool_resource(const pool_options &, memory_resource *);
    unsynchronized_pool_resource(const unsynchronized_pool_resource &) = delete;
    ~unsynchronized_pool_resource() override;
    void release();
    memory_resource *upstream_resource() const;
    pool_options options() const;

protected:
    void *do_allocate(unsigned long, unsigned long) override;
    void do_deallocate(void *, unsigned long, unsigned long) override;
    bool do_is_equal(const memory_resource &) const noexcept override;

private:
    unsigned long __words[8];
};
class synchronized_pool_resource : public memory_resource {
public:
    synchronized_pool_resource();
    explicit synchronized_pool_resource(memory_resource *);
    explicit synchronized_pool_resource(const pool_options &);
    synchronized_pool_resource(const pool_options &, memory_resource *);
    synchronized_pool_resource(const synchronized_pool_resource &) = delete;
    ~synchronized_pool_resource() override;
    void release();
    memory_resource *upstream_resource() const noexcept;
    pool_options options() const noexcept;

protected:
    void *do_allocate(unsigned long, unsigned long) override;
    void do_deallocate(void *, unsigned long, unsigned long) override;
    bool do_is_equal(const memory_resource &) const noexcept override;

private:
    unsigned long __words[16];
};
}
}
