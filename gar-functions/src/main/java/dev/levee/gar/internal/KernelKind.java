package dev.levee.gar.internal;

/** Kernels that are used together, and are therefore compiled together. */
enum KernelKind {
    /** Sums of rows, their quotients, differences of rows, and the check for finite values. */
    SUMS(WarmUp.CALLS),

    /** Keys and comparators. */
    RANKS(WarmUp.CALLS),

    /** Distances and inner products. */
    PAIRS(WarmUp.CALLS),

    /** Sorted columns of many rows; each call runs its loops many times. */
    COLUMNS(WarmUp.CALLS / 8),

    /** Windows around a center. */
    WINDOWS(WarmUp.CALLS);

    /** Calls of a kernel that make the compiler begin. */
    final int calls;

    KernelKind(int calls) {
        this.calls = calls;
    }
}
