package dev.levee.operators.placement.algorithm;

import dev.levee.operators.placement.graph.Cluster;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.Schedule;

/** A placement algorithm. The same graph and cluster always give the same schedule. */
public interface Placer {
    /**
     * Places all operators.
     *
     * @throws InfeasibleException if it finds no room for one
     * @throws IllegalArgumentException if it does not take such a graph; one sentence
     */
    Schedule place(OperatorGraph graph, Cluster cluster) throws InfeasibleException;

    /**
     * The same for clusters that differ in memory only: what does not depend on memory is computed
     * once for each graph.
     */
    default Placer remembering() {
        return this;
    }
}
