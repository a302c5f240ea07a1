// Runs the kernels on the host: a stand-in for the device that reads commands from standard input
// and answers on standard output, all in native byte order. Threads run one after another.
//
//   A bytes             allocate: answers the address
//   F address           free
//   U address bytes …   copy to the device
//   D address bytes     copy from the device: answers the bytes
//   L threads length name, 16 fields   run a kernel: answers nothing

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#define __global__
#define __device__
#define __forceinline__ inline

struct Index {
    unsigned x;
};
static Index blockIdx, blockDim, threadIdx;

static float __fadd_rn(float a, float b) { return a + b; }
static float __fsub_rn(float a, float b) { return a - b; }
static float __fmul_rn(float a, float b) { return a * b; }
static double __dadd_rn(double a, double b) { return a + b; }
static double __dsub_rn(double a, double b) { return a - b; }
static double __dmul_rn(double a, double b) { return a * b; }
static double __ddiv_rn(double a, double b) { return a / b; }
static float __double2float_rn(double a) { return (float) a; }

template <typename To, typename From> static To bits(From from) {
    To to;
    static_assert(sizeof to == sizeof from, "same size");
    memcpy(&to, &from, sizeof to);
    return to;
}
static int __float_as_int(float x) { return bits<int>(x); }
static float __int_as_float(int x) { return bits<float>(x); }
static double __longlong_as_double(long long x) { return bits<double>(x); }

#include "kernels.cu"

static const int FIELDS = 16;
static const unsigned THREADS = 128;

template <typename Task> static void run(void (*kernel)(Task), i64 threads, const i64 *fields) {
    Task task;
    memcpy(&task, fields, sizeof task);
    blockDim.x = THREADS;
    for (blockIdx.x = 0; blockIdx.x * (i64) THREADS < threads; blockIdx.x++) {
        for (threadIdx.x = 0; threadIdx.x < THREADS; threadIdx.x++) {
            kernel(task);
        }
    }
}

static void read(void *to, size_t bytes) {
    if (fread(to, 1, bytes, stdin) != bytes) {
        fprintf(stderr, "input ended\n");
        exit(1);
    }
}

static i64 number() {
    i64 value;
    read(&value, sizeof value);
    return value;
}

static void launch() {
    static const std::map<std::string, void (*)(Order)> orders = {
        {"ranks4", ranks4},     {"ranks8", ranks8},     {"ranks16", ranks16},
        {"ranks32", ranks32},   {"ranks64", ranks64},   {"around4", around4},
        {"around8", around8},   {"around16", around16}, {"around32", around32},
        {"around64", around64}, {"median3", median3},   {"selected", selected}};
    static const std::map<std::string, void (*)(Sums)> sums = {
        {"lanes", lanes}, {"chunks", chunks}, {"blocks", blocks}};
    i64 threads = number();
    std::string name((size_t) number(), ' ');
    read(&name[0], name.size());
    i64 fields[FIELDS];
    read(fields, sizeof fields);
    if (orders.count(name)) {
        run(orders.at(name), threads, fields);
    } else if (sums.count(name)) {
        run(sums.at(name), threads, fields);
    } else if (name == "mix") {
        run(mix, threads, fields);
    } else {
        fprintf(stderr, "no kernel %s\n", name.c_str());
        exit(1);
    }
}

int main() {
    for (int command = getchar(); command != EOF; command = getchar()) {
        i64 first = command == 'L' ? 0 : number();
        if (command == 'A') {
            void *memory = malloc((size_t) first);
            memset(memory, 0xff, (size_t) first);
            fwrite(&memory, sizeof memory, 1, stdout);
        } else if (command == 'F') {
            free(bits<void *>(first));
        } else if (command == 'U') {
            size_t bytes = (size_t) number();
            read(bits<void *>(first), bytes);
        } else if (command == 'D') {
            fwrite(bits<void *>(first), 1, (size_t) number(), stdout);
        } else {
            launch();
        }
        fflush(stdout);
    }
}
