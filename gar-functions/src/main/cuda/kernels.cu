// The coordinate work of aggregation. Every operation is rounded as Java rounds it and in the same
// order, so that a GPU gives the bits that the processor gives. No thread talks to another one:
// thread i of a launch computes result i, and the tests can run the same source on the host.
//
// A group of blocks is a matrix of floats: row r begins at x + r * stride, and `width` coordinates are
// used. Each kernel takes one struct of 8-byte fields, which Java fills as a long[].

static const int CHUNK = 4096;
static const int LANES = 16;
static const int SIDE = 4;
static const int CHUNKS_PER_BLOCK = 32;
static const double TINY = 0x1p-110;
static const int NAN_KEY = 0x7fc00000;
static const int LAST_KEY = 0x7fffffff;

typedef long long i64;

static __device__ __forceinline__ i64 thread() {
    return (i64) blockIdx.x * blockDim.x + threadIdx.x;
}

// Ints of the floats' order, every NaN above infinity: PlainKernels.key.

static __device__ __forceinline__ int flip(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }

static __device__ __forceinline__ int key(float x) {
    return x != x ? NAN_KEY : flip(__float_as_int(x));
}

static __device__ __forceinline__ float value(int key) { return __int_as_float(flip(key)); }

static __device__ __forceinline__ float quotient(double sum, i64 divisor) {
    return __double2float_rn(__ddiv_rn(sum, (double) divisor));
}

// Order statistics: one thread per coordinate.

struct Order {
    const float *x;
    i64 stride;
    i64 width;
    const int *rows;  // the matrix row of each value
    i64 count;        // number of values
    i64 low;          // first rank of the mean, from 0
    i64 high;         // last rank of the mean
    i64 exact;        // not 0: the value of rank `low` as it is, where low == high
    i64 keep;         // values kept by the mean around a centre
    float *out;
};

static __device__ __forceinline__ int load(const Order &o, i64 r, i64 i) {
    return key(o.x[o.rows[r] * o.stride + i]);
}

static __device__ __forceinline__ void exchange(int &low, int &high) {
    int a = low;
    int b = high;
    low = a < b ? a : b;
    high = a < b ? b : a;
}

// Batcher's odd-even merge sort (Knuth, The Art of Computer Programming 3, section 5.3.4) over a
// power of two of registers: every index is known to the compiler.

template <int FROM, int COUNT, int STEP, int N>
static __device__ __forceinline__ void merge(int (&v)[N]) {
    if constexpr (2 * STEP < COUNT) {
        merge<FROM, COUNT, 2 * STEP>(v);
        merge<FROM + STEP, COUNT, 2 * STEP>(v);
#pragma unroll
        for (int i = FROM + STEP; i + STEP < FROM + COUNT; i += 2 * STEP) {
            exchange(v[i], v[i + STEP]);
        }
    } else {
        exchange(v[FROM], v[FROM + STEP]);
    }
}

template <int FROM, int COUNT, int N>
static __device__ __forceinline__ void sort(int (&v)[N]) {
    if constexpr (COUNT > 1) {
        sort<FROM, COUNT / 2>(v);
        sort<FROM + COUNT / 2, COUNT / 2>(v);
        merge<FROM, COUNT, 1>(v);
    }
}

// Sorted keys, with keys above every float behind them.
template <int N>
static __device__ __forceinline__ void sorted(const Order &o, i64 i, int (&v)[N]) {
#pragma unroll
    for (int r = 0; r < N; r++) {
        v[r] = r < o.count ? load(o, r, i) : LAST_KEY;
    }
    sort<0, N>(v);
}

// The mean of the ranks low to high, or one rank as it is.
template <int N>
static __device__ __forceinline__ void ranks(const Order &o) {
    i64 i = thread();
    if (i >= o.width) {
        return;
    }
    int v[N];
    sorted(o, i, v);
    double sum = 0;
    int only = 0;
#pragma unroll
    for (int r = 0; r < N; r++) {
        if (r >= o.low && r <= o.high) {
            sum = __dadd_rn(sum, (double) value(v[r]));
            only = v[r];
        }
    }
    o.out[i] = o.exact ? value(only) : quotient(sum, o.high - o.low + 1);
}

static __device__ __forceinline__ double distance(double centre, float x) {
    double d = fabs(__dsub_rn(centre, (double) x));
    return d != d ? __longlong_as_double(0x7ff0000000000000LL) : d;
}

static __device__ __forceinline__ double mean(const float *v, int low, int high) {
    double sum = 0;
    for (int r = low; r <= high; r++) {
        sum = __dadd_rn(sum, (double) v[r]);
    }
    return __ddiv_rn(sum, (double) (high - low + 1));
}

// The mean of the `keep` values closest to the mean of the ranks low to high: drops the farther
// end, of two equally far the upper one.
template <int N>
static __device__ __forceinline__ void around(const Order &o) {
    i64 i = thread();
    if (i >= o.width) {
        return;
    }
    int keys[N];
    sorted(o, i, keys);
    float v[N];
#pragma unroll
    for (int r = 0; r < N; r++) {
        v[r] = value(keys[r]);
    }
    double centre = mean(v, (int) o.low, (int) o.high);
    int low = 0;
    int high = (int) o.count - 1;
    while (high - low >= o.keep) {
        if (distance(centre, v[low]) > distance(centre, v[high])) {
            low++;
        } else {
            high--;
        }
    }
    o.out[i] = __double2float_rn(mean(v, low, high));
}

#define ORDER(N)                                                        \
    extern "C" __global__ void ranks##N(Order o) { ranks<N>(o); }       \
    extern "C" __global__ void around##N(Order o) { around<N>(o); }

ORDER(4)
ORDER(8)
ORDER(16)
ORDER(32)
ORDER(64)

// The median of three values without a branch.
extern "C" __global__ void median3(Order o) {
    i64 i = thread();
    if (i >= o.width) {
        return;
    }
    int a = load(o, 0, i);
    int b = load(o, 1, i);
    int c = load(o, 2, i);
    exchange(a, b);
    int upper = b < c ? b : c;
    o.out[i] = value(a > upper ? a : upper);
}

// The key of one rank of any number of values, bit by bit from the top: the largest bound that at
// most `rank` keys are below. Reads the values 32 times and stores none.
static __device__ int select(const Order &o, i64 i, i64 rank) {
    unsigned bound = 0;
    for (int bit = 31; bit >= 0; bit--) {
        unsigned trial = bound | (1u << bit);
        i64 below = 0;
        for (i64 r = 0; r < o.count; r++) {
            below += ((unsigned) load(o, r, i) ^ 0x80000000u) < trial;
        }
        bound = below <= rank ? trial : bound;
    }
    return (int) (bound ^ 0x80000000u);
}

// One rank, or the mean of two neighbours, of more values than a network is built for.
extern "C" __global__ void selected(Order o) {
    i64 i = thread();
    if (i >= o.width) {
        return;
    }
    float low = value(select(o, i, o.low));
    if (o.exact) {
        o.out[i] = low;
        return;
    }
    double sum = __dadd_rn(0.0, (double) low);
    o.out[i] = quotient(__dadd_rn(sum, (double) value(select(o, i, o.high))), 2);
}

// Weighted sums of rows: one thread per output and coordinate. Points of weight zero are not read.

struct Mix {
    const float *x;
    i64 stride;
    i64 width;
    const int *rows;        // the matrix row of each point
    const double *weights;  // outputs × points
    i64 count;              // number of points
    i64 outputs;
    i64 divisor;
    float *out;             // output o at out + o * stride
};

extern "C" __global__ void mix(Mix m) {
    i64 i = thread() % m.width;
    i64 output = thread() / m.width;
    if (output >= m.outputs) {
        return;
    }
    double sum = 0;
    for (i64 p = 0; p < m.count; p++) {
        double weight = m.weights[output * m.count + p];
        if (weight != 0) {
            sum = __dadd_rn(sum, __dmul_rn(weight, (double) m.x[m.rows[p] * m.stride + i]));
        }
    }
    m.out[output * m.stride + i] = quotient(sum, m.divisor);
}

// Sums over coordinates, in three launches: lanes in float, chunks, blocks. ChunkSums states the
// order.

struct Sums {
    const float *x;
    i64 stride;
    i64 width;
    const int *points;  // the matrix row of each point; below 0 stands for the zero vector
    i64 outputs;        // points on the one side of a pair: the first ones
    i64 first;          // first point on the other side
    i64 end;            // number of points
    const int *pairs;   // two matrix rows for each pair
    i64 count;          // number of pairs
    i64 products;       // 0: squared distances, else inner products
    float *lanes;       // chunks × pairs × LANES
    double *chunks;     // chunks × pairs
    double *blocks;     // blocks × pairs
};

static __device__ __forceinline__ i64 ceiling(i64 a, i64 b) { return (a + b - 1) / b; }

static __device__ __forceinline__ i64 least(i64 a, i64 b) { return a < b ? a : b; }

static __device__ __forceinline__ float at(const float *row, i64 i) {
    return row == nullptr ? 0.0f : row[i];
}

static __device__ __forceinline__ const float *row(const Sums &s, i64 r, i64 from) {
    return r < 0 ? nullptr : s.x + r * s.stride + from;
}

// Where the pair of two points is counted: rows of the upper triangle, or of a rectangle.
static __device__ __forceinline__ i64 place(const Sums &s, i64 a, i64 b) {
    return s.first == 0 ? a * (2 * s.end - a - 1) / 2 + b - a - 1
                        : a * (s.end - s.first) + b - s.first;
}

// One lane of a square of pairs. A value that was read serves a whole side of the square, so that
// the arithmetic is the limit and not the loads; points beyond the last are computed and not kept.
template <bool PRODUCTS>
static __device__ __forceinline__ void square(
        const Sums &s, i64 chunk, i64 lane, i64 fromA, i64 fromB) {
    const float *a[SIDE];
    const float *b[SIDE];
#pragma unroll
    for (int k = 0; k < SIDE; k++) {
        a[k] = row(s, s.points[least(fromA + k, s.outputs - 1)], chunk * CHUNK);
        b[k] = row(s, s.points[least(fromB + k, s.end - 1)], chunk * CHUNK);
    }
    float sum[SIDE][SIDE] = {};
    i64 length = least(CHUNK, s.width - chunk * CHUNK);
    for (i64 i = lane; i < length; i += LANES) {
        float y[SIDE];
#pragma unroll
        for (int k = 0; k < SIDE; k++) {
            y[k] = at(b[k], i);
        }
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            float x = at(a[j], i);
#pragma unroll
            for (int k = 0; k < SIDE; k++) {
                float difference = __fsub_rn(x, y[k]);
                float term = PRODUCTS ? __fmul_rn(x, y[k]) : __fmul_rn(difference, difference);
                sum[j][k] = __fadd_rn(sum[j][k], term);
            }
        }
    }
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
#pragma unroll
        for (int k = 0; k < SIDE; k++) {
            if (fromA + j < s.outputs && fromB + k < s.end && fromA + j < fromB + k) {
                i64 pair = place(s, fromA + j, fromB + k);
                s.lanes[(chunk * s.count + pair) * LANES + lane] = sum[j][k];
            }
        }
    }
}

extern "C" __global__ void lanes(Sums s) {
    i64 across = ceiling(s.end - s.first, SIDE);
    i64 squares = ceiling(s.outputs, SIDE) * across;
    i64 lane = thread() % LANES;
    i64 index = thread() / LANES % squares;
    i64 chunk = thread() / LANES / squares;
    i64 fromA = index / across * SIDE;
    i64 fromB = s.first + index % across * SIDE;
    // Below the diagonal there is no pair.
    if (chunk * CHUNK >= s.width || fromB + SIDE - 1 <= fromA) {
        return;
    }
    if (s.products) {
        square<true>(s, chunk, lane, fromA, fromB);
    } else {
        square<false>(s, chunk, lane, fromA, fromB);
    }
}

static __device__ __forceinline__ double quarter(const float *v) {
    return __dadd_rn(
            __dadd_rn((double) v[0], (double) v[8]), __dadd_rn((double) v[4], (double) v[12]));
}

static __device__ __forceinline__ bool exact(double sum) {
    double size = fabs(sum);
    return size >= TINY && size <= 0x1.fffffffffffffp1023;
}

static __device__ bool same(const float *a, const float *b, i64 length) {
    for (i64 i = 0; i < length; i++) {
        if (__float_as_int(at(a, i)) != __float_as_int(at(b, i))) {
            return false;
        }
    }
    return true;
}

static __device__ double inDouble(const Sums &s, const float *a, const float *b, i64 length) {
    double sum = 0;
    for (i64 i = 0; i < length; i++) {
        double x = at(a, i);
        double y = at(b, i);
        double difference = __dsub_rn(x, y);
        double term = s.products ? __dmul_rn(x, y) : __dmul_rn(difference, difference);
        sum = __dadd_rn(sum, term);
    }
    return sum;
}

extern "C" __global__ void chunks(Sums s) {
    i64 pair = thread() % s.count;
    i64 from = thread() / s.count * CHUNK;
    if (from >= s.width) {
        return;
    }
    const float *v = s.lanes + thread() * LANES;
    double sum = __dadd_rn(
            __dadd_rn(quarter(v), quarter(v + 2)), __dadd_rn(quarter(v + 1), quarter(v + 3)));
    if (!exact(sum)) {
        const float *a = row(s, s.pairs[2 * pair], from);
        const float *b = row(s, s.pairs[2 * pair + 1], from);
        i64 length = least(CHUNK, s.width - from);
        if (s.products || sum != 0 || !same(a, b, length)) {
            sum = inDouble(s, a, b, length);
        }
    }
    s.chunks[thread()] = sum;
}

extern "C" __global__ void blocks(Sums s) {
    i64 pair = thread() % s.count;
    i64 first = thread() / s.count * CHUNKS_PER_BLOCK;
    i64 end = least(first + CHUNKS_PER_BLOCK, ceiling(s.width, CHUNK));
    if (first >= end) {
        return;
    }
    double sum = 0;
    for (i64 chunk = first; chunk < end; chunk++) {
        sum = __dadd_rn(sum, s.chunks[chunk * s.count + pair]);
    }
    s.blocks[thread()] = sum;
}
