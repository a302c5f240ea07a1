package dev.levee.k8s.simulator;

/**
 * Equal nodes of a cluster.
 *
 * @param nodes number of nodes
 * @param slotsPerNode number of workers per node
 * @param speed speed relative to nodes of speed 1
 */
public record NodeGroup(int nodes, int slotsPerNode, double speed) {
    /** Checks that all values are positive. */
    public NodeGroup {
        if (nodes < 1 || slotsPerNode < 1 || !(speed > 0)) {
            throw new IllegalArgumentException(
                    "a cluster needs nodes, slots and speed, got %dx%d@%s"
                            .formatted(nodes, slotsPerNode, speed));
        }
    }

    /** Number of workers that the nodes have room for. */
    int slots() {
        return Math.multiplyExact(nodes, slotsPerNode);
    }
}
