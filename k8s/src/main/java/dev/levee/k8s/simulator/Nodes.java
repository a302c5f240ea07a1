package dev.levee.k8s.simulator;

import java.util.Arrays;

/** Slots of equal nodes, some of them taken. */
final class Nodes {
    private final int[] free;

    Nodes(ClusterSize size) {
        free = new int[size.nodes()];
        Arrays.fill(free, size.slotsPerNode());
    }

    int free() {
        return Arrays.stream(free).sum();
    }

    /** Takes slots, from the emptiest nodes first; the result has a number for every node. */
    int[] take(int workers) {
        int[] taken = new int[free.length];
        for (int left = workers; left > 0; ) {
            int best = 0;
            for (int i = 1; i < free.length; i++) {
                best = free[i] > free[best] ? i : best;
            }
            int here = Math.min(left, free[best]);
            if (here == 0) {
                throw new IllegalStateException("a policy gave away more than there is");
            }
            taken[best] += here;
            free[best] -= here;
            left -= here;
        }
        return taken;
    }

    void giveBack(int[] taken) {
        for (int i = 0; i < taken.length; i++) {
            free[i] += taken[i];
        }
    }
}
