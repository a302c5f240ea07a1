package dev.levee.k8s.allocator.internal;

/**
 * Counts free slots by class. A job that may use a class may use all faster ones, so the counts are
 * of each class and all faster ones together.
 */
final class FreeSlots {
    private final long[] free;

    /**
     * Starts with all slots free.
     *
     * @param slots the slots of each class, the fastest first
     */
    FreeSlots(int... slots) {
        free = new long[slots.length];
        long sum = 0;
        for (int c = 0; c < slots.length; c++) {
            sum += slots[c];
            free[c] = sum;
        }
    }

    int classes() {
        return free.length;
    }

    /** Free slots of a class and all faster ones; negative if too many are taken. */
    long free(int slotClass) {
        return free[slotClass];
    }

    /** Takes slots, or returns them if {@code workers} is negative. */
    void take(int workers, int slotClass) {
        for (int c = slotClass; c < free.length; c++) {
            free[c] -= workers;
        }
    }

    /** True if an offer can change from one of its sizes to another. */
    boolean fits(Offer offer, int from, int to) {
        for (int c = 0; c < free.length; c++) {
            long taken = offer.classes()[to] <= c ? offer.workers()[to] : 0;
            long given = offer.classes()[from] <= c ? offer.workers()[from] : 0;
            if (taken - given > free[c]) {
                return false;
            }
        }
        return true;
    }
}
