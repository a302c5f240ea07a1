package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodesTest {
    @Test
    void theEmptiestNodesAreTakenFirst() {
        Nodes nodes = new Nodes(new ClusterSize(3, 4));
        assertThat(nodes.take(2, 0, false)).containsExactly(2, 0, 0);
        assertThat(nodes.take(5, 0, false)).containsExactly(0, 4, 1);
    }

    @Test
    void packedTheFullestThatHoldsTheRestIs() {
        Nodes nodes = new Nodes(new ClusterSize(3, 4));
        assertThat(nodes.take(2, 0, true)).containsExactly(2, 0, 0);
        assertThat(nodes.take(1, 0, true)).containsExactly(1, 0, 0);
        assertThat(nodes.take(2, 0, true)).containsExactly(0, 2, 0);
        assertThat(nodes.take(5, 0, true)).containsExactly(1, 0, 4);
    }
}
