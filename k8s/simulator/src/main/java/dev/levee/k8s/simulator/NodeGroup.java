package dev.levee.k8s.simulator;

/**
 * Equal nodes of a cluster.
 *
 * @param nodes machines
 * @param slotsPerNode workers that each has room for
 * @param speed how fast they compute, relative to nodes of speed 1
 */
public record NodeGroup(int nodes, int slotsPerNode, double speed) {
    /** Checks that there is something. */
    public NodeGroup {
        if (nodes < 1 || slotsPerNode < 1 || !(speed > 0)) {
            throw new IllegalArgumentException(
                    "a cluster needs nodes, slots and speed, got %dx%d@%s"
                            .formatted(nodes, slotsPerNode, speed));
        }
    }

    /** Workers that they have room for. */
    int slots() {
        return Math.multiplyExact(nodes, slotsPerNode);
    }
}
