// Kernels that are templates: which instances there are is for host code to say, whose headers are not here.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

//@ symbol=_Z7writtenILi5EEvPxii
TEMPLATE(written, int R)
    int sum = 0;
    for (int i = 0; i < R; i++) sum += V(i);
    I(sum); //= 10
END

//@ symbol=_Z5namedILi8EEvPxii
TEMPLATE(named, int R)
    I(R * V(3)); //= 24
END

enum Mode { FORWARD, BACKWARD };
namespace outer {
template <typename T> struct Box {
    T value;
};
} // namespace outer

//@ symbol=_Z7throughIdL4Mode1EEvPxii
TEMPLATE(through, typename T, Mode M)
    I(sizeof(T) + 100 * M); //= 108
END

//@ symbol=_Z7addressIN5outer3BoxIsEEEvPxii
TEMPLATE(address, typename T)
    I(sizeof(T)); //= 2
END

//@ symbol=_Z4castIhEvPxii
TEMPLATE(cast, typename T)
    I((T)V(300)); //= 44
END

//@ symbol=_Z8argumentIsLi3EEvPxii
TEMPLATE(argument, typename T, int N)
    I((T)V(65537) * N); //= 3
END

//@ symbol=_Z6methodILi2ELb1EEvPxii
TEMPLATE(method, int N, bool B)
    I(B ? N : -N); //= 2
END

//@ symbol=_Z6lambdaIfEvPxii
TEMPLATE(lambda, typename T)
    F((T)V(1) / 3); //= 0.3333333432674408
END

//@ symbol=_Z5tableILi4EEvPxii
TEMPLATE(table, int N)
    I(N << V(1)); //= 8
END

//@ symbol=_Z8switchedILi64EEvPxii
TEMPLATE(switched, int N)
    I(N); //= 64
END

//@ symbol=_Z6listedIcEvPxii
TEMPLATE(listed, typename T)
    I(sizeof(T)); //= 1
END

// Deduced from the arguments of the launch.
#undef TEMPLATE
#define TEMPLATE(name, ...)                                                                                            \
    template <__VA_ARGS__> __global__ void name(T *out_, int zero_, int count_) {                                       \
        out_ += (blockIdx.x * blockDim.x + threadIdx.x) * count_;

//@ symbol=_Z7deducedIxEvPT_ii
TEMPLATE(deduced, typename T)
    I(sizeof(T)); //= 8
END

//@ symbol=_Z6memberIxEvPT_ii
TEMPLATE(member, typename T)
    I(sizeof(T) + V(1)); //= 9
END

//@ symbol=_Z7pointerIxEvPT_ii
TEMPLATE(pointer, typename T)
    I(sizeof(T) + V(2)); //= 10
END

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status = call;                                                                                     \
        if (status != cudaSuccess) {                                                                                   \
            std::cerr << "error: " << cudaGetErrorString(status) << std::endl;                                         \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

template <typename T> class Owner {
    std::unique_ptr<T[]> host;
    T *device = nullptr;
    std::string name;

public:
    explicit Owner(size_t n) : host(new T[n]) { CHECK(cudaMalloc(&device, n * sizeof(T))); }
    ~Owner() { cudaFree(device); }
    void launch(cudaStream_t stream = 0) { member<<<dim3(1), dim3(1), 0, stream>>>(device, 0, 1); }
    template <int N> void with() const;
};

template <typename T, Mode M> bool run(const std::vector<T> &input, std::string label = "run") {
    std::vector<T> copy(input.begin(), input.end());
    for (const auto &x : copy)
        if (x > T(0)) through<T, M><<<1, 1>>>(nullptr, 0, 0);
    if constexpr (sizeof(T) == 1) named<1><<<1, 1>>>(nullptr, 0, 0);
    return std::all_of(copy.begin(), copy.end(), [](T x) { return x < 3; });
}

struct Plain {
    std::vector<float> data;
    void go(long long *d) { method<2, true><<<1, 1>>>(d, 0, 1); }
};

template <class Kernel, class... Args> void launch(Kernel kernel, Args... args) { kernel<<<1, 1>>>(args...); }

static void (*const kernels[])(long long *, int, int) = {table<4>, &table<9>};

template <typename T> void only_named(T n) { listed<T><<<1, n>>>(nullptr, 0, 0); }
template void only_named<char>(char);

int main(int argc, char **argv) {
    const int radius = 4 * 2;
    long long *d;
    CHECK(cudaMalloc((void **)&d, 1024));
    dim3 grid{1, 1}, block(32);
    written<5><<<grid, block>>>(d, 0, 1);
    named<radius><<<grid, block, 48 << 10>>>(d, 0, 1);
    deduced<<<grid, block>>>(d, argc, 1);
    run<double, BACKWARD>(std::vector<double>(3), "a");
    auto kernel = address<outer::Box<short>>;
    kernel<<<1, 1>>>(d, 0, 1);
    void *args[] = {&d};
    CHECK(cudaLaunchKernel((const void *)cast<unsigned char>, grid, block, args, 0, 0));
    launch(argument<short, 3>, d, 0, 1);
    Plain{}.go(d);
    auto f = [&](int n) { lambda<float><<<1, n>>>(d, 0, 1); };
    f(argc);
    try {
        Owner<long long> owner(100);
        owner.launch();
    } catch (const std::exception &e) {
        std::cout << e.what() << '\n';
    }
    switch (argc) {
    case 64: switched<64><<<1, 64>>>(d, 0, 1); break;
    default: throw std::runtime_error("size");
    }
    void (*p)(long long *, int, int) = pointer;
    p<<<1, 1>>>(d, 0, 1);
    return kernels[0] == nullptr;
}
