package dev.levee.k8s.simulator;

/**
 * A cluster of equal nodes.
 *
 * @param nodes machines
 * @param slotsPerNode workers that each has room for
 */
public record ClusterSize(int nodes, int slotsPerNode) {
    /** Checks that there is something. */
    public ClusterSize {
        if (nodes < 1 || slotsPerNode < 1) {
            throw new IllegalArgumentException(
                    "a cluster needs nodes and slots, got " + nodes + "x" + slotsPerNode);
        }
    }

    /**
     * Reads {@code 16x4}, nodes times slots of each.
     *
     * @throws IllegalArgumentException if it reads otherwise; one sentence
     */
    public static ClusterSize parse(String text) {
        if (!text.matches("[1-9]\\d{0,4}x[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException(
                    "--cluster has to be NODESxSLOTS, such as 16x4, got " + text);
        }
        int cross = text.indexOf('x');
        return new ClusterSize(
                Integer.parseInt(text.substring(0, cross)),
                Integer.parseInt(text.substring(cross + 1)));
    }

    /** Workers that it has room for. */
    public int slots() {
        return Math.multiplyExact(nodes, slotsPerNode);
    }
}
