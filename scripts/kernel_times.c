// Times every kernel that an OpenCL program launches, and hashes what it leaves, so that two platforms can be compared under
// programs that measure or check little themselves.
//
//   cc -O2 -shared -fPIC -o kernel_times.so scripts/kernel_times.c -ldl -lOpenCL
//   OCL_ICD_VENDORS=DIR LD_PRELOAD=./kernel_times.so PROGRAM ...      # DIR names one driver in a .icd file
//
// Each launch is waited for, before and behind. When the program ends, a line for each kernel, for each set of build options
// that it was launched with (programs build one source for float and for double): how many launches, the
// milliseconds of the first (compilation included, where it is then), of the others together, and of the fastest; and,
// with KERNEL_TIMES_HASH=N, a hash and a weighted sum of its buffers after each of the first N launches. Sums are for
// floats, whose last bits may differ. KERNEL_TIMES_ZERO=1 fills buffers with zeros when they are created: contents that
// nobody wrote are each platform's own. KERNEL_TIMES_AGAIN=N makes each kernel's first launch up to N times more, as long as that
// takes less than half a second, for programs that launch a kernel once; what they compute is then another thing.
// Take enough: a platform may compile for what recurs, beside the first launches. KERNEL_TIMES_FIRST=1 leaves the program's later
// launches of a kernel out, which may have less to do (Gauss' elimination); KERNEL_TIMES_MS is another limit than half a second. Kernels that
// work in place go on from what they left: numbers that grow or vanish so, as in a matrix that is factorised a thousand times, cost
// platforms differently.
// KERNEL_TIMES_OUT=FILE adds the lines to a file.

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_ARGUMENTS 4096
#define MOST_BUFFERS 65536
#define MOST_KERNELS 256
#define NAME 96

struct argument {
    cl_kernel kernel;
    cl_uint index;
    cl_mem buffer;
};

struct row {
    char name[NAME];
    uint64_t options;
    int launches;
    double first, rest, least;
    uint64_t hash;
    double sum;
};

static struct argument arguments[MOST_ARGUMENTS];
static size_t argument_count;
static cl_mem buffers[MOST_BUFFERS];
static size_t buffer_count;
static struct row rows[MOST_KERNELS];
static size_t row_count;

/// The function of the loader that one of ours stands before.
#define NEXT(f) ((__typeof__(&f))dlsym(RTLD_NEXT, #f))

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void report(void) {
    const char *path = getenv("KERNEL_TIMES_OUT");
    FILE *f = path ? fopen(path, "a") : stderr;
    if (!f) {
        return;
    }
    for (size_t i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        fprintf(f, "kernel %s: %d launches, first %.3f ms, others %.3f ms, fastest %.4f ms, hash %016llx, sum %.6g\n", r->name,
                r->launches, r->first, r->rest, r->least, (unsigned long long)r->hash, r->sum);
    }
    if (path) {
        fclose(f);
    }
}

/// A hash of the options that a kernel's program was built with.
static uint64_t options_of(cl_kernel kernel) {
    char options[4096] = "";
    cl_program program = NULL;
    cl_device_id device = NULL;
    cl_context context = NULL;
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL);
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    uint64_t hash = 14695981039346656037u;
    for (const char *at = options; *at; at++) {
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    }
    return hash;
}

/// The row of a kernel's name and options; the last one is for all that find no room.
static struct row *row_of(cl_kernel kernel) {
    char name[NAME] = "";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    uint64_t options = options_of(kernel);
    for (size_t i = 0; i < row_count; i++) {
        if (!strcmp(rows[i].name, name) && rows[i].options == options) {
            return &rows[i];
        }
    }
    if (row_count == 0) {
        atexit(report);
    }
    if (row_count < MOST_KERNELS) {
        struct row *r = &rows[row_count++];
        memcpy(r->name, name, sizeof name);
        r->options = options;
        r->hash = 14695981039346656037u;
        r->least = INFINITY;
        return r;
    }
    return &rows[MOST_KERNELS - 1];
}

static void hash_buffer(struct row *r, cl_command_queue queue, cl_mem buffer) {
    size_t bytes = 0;
    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    unsigned char *copy = malloc(bytes ? bytes : 1);
    if (copy && clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, copy, 0, NULL, NULL) == CL_SUCCESS) {
        for (size_t at = 0; at + 4 <= bytes; at += 4) {
            uint32_t word;
            float number;
            memcpy(&word, copy + at, 4);
            memcpy(&number, copy + at, 4);
            r->hash = (r->hash ^ word) * 1099511628211u;
            if (isfinite(number) && fabsf(number) < 1e20f && fabsf(number) > 1e-20f) {
                r->sum += number * (1 + (double)(at % 977) * 1e-3);
            }
        }
    }
    free(copy);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
    cl_mem buffer = NEXT(clCreateBuffer)(context, flags, bytes, host, error);
    if (!buffer) {
        return buffer;
    }
    buffers[buffer_count++ % MOST_BUFFERS] = buffer;
    cl_device_id devices[16];
    if (!host && getenv("KERNEL_TIMES_ZERO") &&
        clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL) == CL_SUCCESS) {
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[0], NULL, NULL);
        const char zero = 0;
        clEnqueueFillBuffer(queue, buffer, &zero, 1, 0, bytes, 0, NULL, NULL);
        clFinish(queue);
        clReleaseCommandQueue(queue);
    }
    return buffer;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    cl_mem buffer = NULL;
    if (value && size == sizeof(cl_mem)) {
        cl_mem named;
        memcpy(&named, value, sizeof named);
        for (size_t i = 0; i < buffer_count && i < MOST_BUFFERS; i++) {
            if (buffers[i] == named) {
                buffer = named;
            }
        }
    }
    size_t at = 0;
    while (at < argument_count && (arguments[at].kernel != kernel || arguments[at].index != index)) {
        at++;
    }
    if (at < MOST_ARGUMENTS) {
        arguments[at] = (struct argument){kernel, index, buffer};
        argument_count += at == argument_count;
    }
    return NEXT(clSetKernelArg)(kernel, index, size, value);
}

static void count_launch(struct row *r, double time) {
    *(r->launches++ ? &r->rest : &r->first) += time;
    r->least = time < r->least ? time : r->least;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                              cl_event *event) {
    clFinish(queue);
    double time = milliseconds();
    cl_int status =
        NEXT(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local, count, wait, event);
    clFinish(queue);
    time = milliseconds() - time;
    struct row *r = row_of(kernel);
    if (status != CL_SUCCESS) {
        fprintf(stderr, "kernel %s: launch failed with %d\n", r->name, status);
        return status;
    }
    int first = !r->launches;
    if (first || !getenv("KERNEL_TIMES_FIRST")) {
        count_launch(r, time);
    }
    const char *again = first ? getenv("KERNEL_TIMES_AGAIN") : NULL;
    const char *limit = getenv("KERNEL_TIMES_MS");
    double end = milliseconds() + (limit ? atof(limit) : 500);
    for (int left = again ? atoi(again) : 0; left > 0 && milliseconds() < end; left--) {
        time = milliseconds();
        NEXT(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local, 0, NULL, NULL);
        clFinish(queue);
        count_launch(r, milliseconds() - time);
    }
    const char *hashed = getenv("KERNEL_TIMES_HASH");
    if (hashed && r->launches <= atoi(hashed)) {
        for (size_t i = 0; i < argument_count; i++) {
            if (arguments[i].kernel == kernel && arguments[i].buffer) {
                hash_buffer(r, queue, arguments[i].buffer);
            }
        }
    }
    return status;
}
