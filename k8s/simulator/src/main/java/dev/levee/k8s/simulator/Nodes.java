package dev.levee.k8s.simulator;

import java.util.Arrays;

/** The free slots of a cluster's nodes. */
final class Nodes {
    private final int[] free;
    private final double[] speeds;

    Nodes(ClusterSize size) {
        int nodes = size.groups().stream().mapToInt(NodeGroup::nodes).sum();
        free = new int[nodes];
        speeds = new double[nodes];
        int from = 0;
        for (NodeGroup group : size.groups()) {
            Arrays.fill(free, from, from + group.nodes(), group.slotsPerNode());
            Arrays.fill(speeds, from, from + group.nodes(), group.speed());
            from += group.nodes();
        }
    }

    int free() {
        return Arrays.stream(free).sum();
    }

    /** Number of free slots of at least this speed. */
    int free(double slowest) {
        int sum = 0;
        for (int i = 0; i < free.length; i++) {
            sum += speeds[i] >= slowest ? free[i] : 0;
        }
        return sum;
    }

    /**
     * Takes slots. Without a minimum speed, they come from the emptiest nodes first. With a minimum
     * speed, they come from the slowest nodes of at least this speed, the emptiest of these first.
     *
     * @param slowest minimum speed; 0 for any
     * @param pack true to take slots from the fullest node that has room for all remaining workers,
     *     or from the emptiest node if no node has
     * @return number of slots taken on each node
     */
    int[] take(int workers, double slowest, boolean pack) {
        int[] taken = new int[free.length];
        for (int left = workers; left > 0; ) {
            int best = -1;
            for (int i = 0; i < free.length; i++) {
                if (free[i] > 0
                        && speeds[i] >= slowest
                        && (best < 0 || better(i, best, slowest > 0, pack ? left : 0))) {
                    best = i;
                }
            }
            if (best < 0) {
                throw new IllegalStateException("a policy gave away more than there is");
            }
            int here = Math.min(left, free[best]);
            taken[best] += here;
            free[best] -= here;
            left -= here;
        }
        return taken;
    }

    private boolean better(int node, int than, boolean bySpeed, int packed) {
        if (bySpeed && speeds[node] != speeds[than]) {
            return speeds[node] < speeds[than];
        }
        if (packed > 0 && free[node] >= packed) {
            return free[than] < packed || free[node] < free[than];
        }
        return free[node] > free[than] && !(packed > 0 && free[than] >= packed);
    }

    void giveBack(int[] taken) {
        for (int i = 0; i < taken.length; i++) {
            free[i] += taken[i];
        }
    }

    /** Speed of the slowest taken slot. */
    double slowest(int[] taken) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < taken.length; i++) {
            slowest = taken[i] > 0 ? Math.min(slowest, speeds[i]) : slowest;
        }
        return slowest;
    }

    /** Speed of the fastest taken slot. */
    double fastest(int[] taken) {
        double fastest = 0;
        for (int i = 0; i < taken.length; i++) {
            fastest = taken[i] > 0 ? Math.max(fastest, speeds[i]) : fastest;
        }
        return fastest;
    }
}
