/* Each function of openacc.h once, and what it has to do. */
#include <openacc.h>
#include <stdio.h>
#include <string.h>
enum { n = 64 };
static int a[n], b[n];
static struct pointing { int *p; } s;
static int failed;
static int apart;
#define CHECK(x) do { if (!(x)) { printf("line %d: %s\n", __LINE__, #x); failed = 1; } } while (0)
#define SIZE ((size_t)n * sizeof(int))
static void fill(int v) { for (int i = 0; i < n; i++) a[i] = v; }
static void add(int v) {
    #pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++) a[i] += v;
}
static int present(void *p) { return acc_is_present(p, SIZE); }

static void devices(void) {
    acc_device_t d = acc_get_device_type();
    acc_init(d);
    acc_init_device(0, d);
    CHECK(acc_get_num_devices(d) == 1);
    acc_set_device_type(acc_device_host);
    CHECK(acc_get_device_type() == acc_device_host);
    /* What `ACC_DEVICE_TYPE` says is the default. */
    acc_set_device_type(acc_device_default);
    CHECK(acc_get_device_type() == d);
    acc_init(acc_device_default);
    CHECK(acc_get_device_type() == d);
    acc_set_device_type(d);
    acc_set_device_num(0, d);
    CHECK(acc_get_device_num(d) == 0);
    CHECK(acc_get_property(0, d, acc_property_memory) > 0);
    CHECK(acc_get_property(0, d, acc_property_shared_memory_support) == (size_t)!apart);
    CHECK(strlen(acc_get_property_string(0, d, acc_property_name)) > 0);
    CHECK(strlen(acc_get_property_string(0, d, acc_property_vendor)) > 0);
    CHECK(acc_on_device(acc_device_host) && !acc_on_device(acc_device_nvidia));
}

static void queues(void) {
    int q[2] = { 1, 2 };
    acc_set_default_async(3);
    CHECK(acc_get_default_async() == 3);
    acc_set_default_async(acc_async_default);
    acc_wait_async(1, 2);
    acc_wait_device_async(1, acc_get_device_num(acc_device_current), 2);
    acc_wait_all_async(4);
    acc_wait_all_device_async(0, 4);
    acc_async_wait(1);
    acc_wait(2);
    acc_wait_device(4, 0);
    CHECK(acc_async_test(1) && acc_async_test_device(2, 0));
    /* There is a GPU, or no handle of one. */
    const int gpu = acc_get_current_cuda_context() != NULL;
    CHECK((acc_get_current_cuda_device() != NULL) == gpu && (acc_get_cuda_stream(5) != NULL) == gpu);
    CHECK(acc_set_cuda_stream(5, acc_get_cuda_stream(5)) == gpu);
    int first = acc_wait_any(2, q);
    CHECK(first == 0 || first == 1);
    first = acc_wait_any_device(2, q, 0);
    CHECK(first == 0 || first == 1);
    acc_wait_all();
    acc_async_wait_all();
    acc_wait_all_device(0);
    CHECK(acc_async_test_all() && acc_async_test_all_device(0));
}

static void data(void) {
    fill(1);
    int *d = acc_copyin(a, SIZE);
    CHECK(d && (d != a) == apart && acc_deviceptr(a) == d && acc_hostptr(d) == a && present(a));
    CHECK(acc_present_or_copyin(a, SIZE) == d && acc_pcopyin(a, SIZE) == d);
    add(1);
    CHECK(a[5] == (apart ? 1 : 2));
    acc_update_self(a, SIZE);
    CHECK(a[5] == 2);
    fill(10);
    acc_update_device(a, SIZE);
    add(1);
    acc_update_host(a, SIZE);
    CHECK(a[n - 1] == 11);
    fill(20);
    acc_update_device_async(a, SIZE, 1);
    acc_wait(1);
    add(1);
    acc_update_self_async(a, SIZE, 1);
    acc_wait(1);
    CHECK(a[0] == 21);
    acc_copyout(a, SIZE);
    CHECK(!apart || present(a));
    acc_delete(a, SIZE);
    CHECK(!apart || present(a));
    add(1);
    acc_copyout_finalize(a, SIZE);
    CHECK(a[0] == 22 && present(a) == !apart);

    acc_copyin_async(a, SIZE, 1);
    acc_copyin(a, SIZE);
    acc_wait(1);
    add(1);
    acc_copyout_finalize_async(a, SIZE, 1);
    acc_wait(1);
    CHECK(a[0] == 23 && present(a) == !apart);
    acc_copyin(a, SIZE);
    add(1);
    acc_copyout_async(a, SIZE, 1);
    acc_wait(1);
    CHECK(a[0] == 24 && present(a) == !apart);

    d = acc_create(b, SIZE);
    CHECK(acc_present_or_create(b, SIZE) == d && acc_pcreate(b, SIZE) == d);
    acc_delete_finalize(b, SIZE);
    CHECK(present(b) == !apart);
    acc_create_async(b, SIZE, 1);
    acc_delete_async(b, SIZE, 1);
    acc_wait(1);
    CHECK(present(b) == !apart);
    acc_create(b, SIZE), acc_create(b, SIZE);
    acc_delete_finalize_async(b, SIZE, 1);
    acc_wait(1);
    CHECK(present(b) == !apart);
}

static void memory(void) {
    int *x = acc_malloc(SIZE), *y = acc_malloc(SIZE);
    CHECK(x && y);
    fill(7);
    acc_memcpy_to_device(x, a, SIZE);
    acc_memcpy_device(y, x, SIZE);
    acc_memcpy_from_device(b, y, SIZE);
    CHECK(b[0] == 7 && b[n - 1] == 7);
    fill(8);
    acc_memcpy_to_device_async(x, a, SIZE, 1);
    acc_memcpy_device_async(y, x, SIZE, 1);
    acc_memcpy_from_device_async(b, y, SIZE, 1);
    acc_wait(1);
    CHECK(b[0] == 8 && b[n - 1] == 8);
    fill(9);
    acc_copyin(a, SIZE);
    acc_create(b, SIZE);
    acc_memcpy_d2d(b, a, SIZE, 0, 0);
    acc_update_self(b, SIZE);
    CHECK(b[0] == 9 && b[n - 1] == 9);
    fill(4);
    acc_update_device(a, SIZE);
    acc_memcpy_d2d_async(b, a, SIZE, 0, 0, 1);
    acc_wait(1);
    acc_copyout(b, SIZE);
    acc_delete(a, 0);
    CHECK(present(a));
    acc_delete(a, SIZE);
    CHECK(b[0] == 4 && b[n - 1] == 4);
    if (apart) {
        acc_map_data(b, x, SIZE);
        CHECK(acc_deviceptr(b) == x && acc_hostptr(x) == b && present(b));
        /* What is mapped stays until it is unmapped, and nothing leaves with no bytes. */
        acc_delete(b, SIZE);
        acc_copyout_finalize(b, SIZE);
        acc_copyout(b, 0);
        CHECK(present(b) && acc_deviceptr(b) == x);
        acc_unmap_data(b);
        CHECK(!present(b));
    }
    acc_free(x);
    acc_free(y);
}

static int pointed(void) {
    int v = 0;
    #pragma acc serial present(s) copy(v)
    v = s.p[3];
    return v;
}

static void pointers(void) {
    fill(5);
    s.p = a;
    acc_copyin(&s, sizeof s);
    acc_copyin(a, SIZE);
    acc_attach((void **)&s.p);
    CHECK(pointed() == 5);
    acc_detach((void **)&s.p);
    acc_attach_async((void **)&s.p, 1);
    acc_wait(1);
    CHECK(pointed() == 5);
    acc_detach_async((void **)&s.p, 1);
    acc_wait(1);
    acc_attach((void **)&s.p), acc_attach((void **)&s.p);
    acc_detach_finalize((void **)&s.p);
    acc_attach((void **)&s.p);
    acc_detach_finalize_async((void **)&s.p, 1);
    acc_wait(1);
    acc_update_self(&s, sizeof s);
    CHECK(s.p == a);
    acc_delete(a, SIZE);
    acc_delete(&s, sizeof s);
}

int main(void) {
    apart = acc_get_device_type() == acc_device_discrete;
    devices();
    queues();
    data();
    memory();
    pointers();
    acc_shutdown_device(0, acc_get_device_type());
    acc_shutdown(acc_get_device_type());
    puts(failed ? "failed" : "all is well");
    return failed;
}
