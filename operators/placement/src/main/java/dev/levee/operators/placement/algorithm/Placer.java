package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.OperatorSchedule;

/** A placement algorithm. The same graph and cluster always give the same schedule. */
public interface Placer {
    /**
     * Places all operators.
     *
     * @throws InfeasibleException if the algorithm finds no room for an operator
     * @throws IllegalArgumentException if the algorithm does not support the graph; one sentence
     */
    OperatorSchedule place(OperatorGraph graph, DeviceCluster cluster) throws InfeasibleException;

    /**
     * Returns this algorithm for repeated use on clusters that differ only in memory. Results that
     * do not depend on memory are computed once per graph.
     */
    default Placer remembering() {
        return this;
    }

    /**
     * Returns a fast algorithm that finds room for a graph only if this one does, to search for the
     * memory that is enough.
     */
    default Placer fittingFast() {
        return this;
    }
}
