package dev.levee.k8s.allocator.internal;

/**
 * Free slots by class. A job that may be in one class may be in all faster ones, so what counts is
 * how many of each class and all faster ones are free.
 */
final class Rooms {
    private final long[] free;

    /**
     * All free.
     *
     * @param slots the slots of each class, the fastest first
     */
    Rooms(int... slots) {
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

    /** Free slots of a class and all faster ones; below zero if more are taken than there are. */
    long free(int slotClass) {
        return free[slotClass];
    }

    /** Takes slots; gives them back if there are fewer than none. */
    void take(int workers, int slotClass) {
        for (int c = slotClass; c < free.length; c++) {
            free[c] -= workers;
        }
    }

    /** True if an offer that has one of its sizes can have another instead. */
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
