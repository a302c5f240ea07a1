package dev.levee.operators.placement.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OperatorGraphTest {
    private static OperatorGraph.Builder abc() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 2, 3));
        builder.add(Graphs.op("b", 1, 0, 4));
        builder.add(Graphs.op("c", 1, 0, 5));
        return builder;
    }

    @Test
    void anEdgeCarriesAllThatItsReaderTakesOnce() {
        OperatorGraph graph =
                abc().read("a", 1, "b")
                        .read("a", 0, "b")
                        .read("a", 1, "b")
                        .read("a", 1, "c")
                        .build();

        assertThat(graph.edges()).isEqualTo(2);
        assertThat(graph.carried(0)).containsExactly(1, 0);
        assertThat(graph.carried(1)).containsExactly(1);
        assertThat(graph.bytes(1)).isEqualTo(3);
    }

    @Test
    void theOrderIsThatInWhichOperatorsBecomeReady() {
        OperatorGraph graph = abc().read("c", 0, "a").read("b", 0, "a").build();

        assertThat(graph.order()).containsExactly(1, 2, 0);
    }

    @Test
    void aCycleIsNamed() {
        OperatorGraph.Builder builder = abc().read("a", 0, "b").read("b", 0, "c").read("c", 0, "b");

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operators must not depend on themselves, but these do: c → b → c");
    }

    @Test
    void wrongNamesAndOutputsAreRefused() {
        OperatorGraph.Builder builder = abc();

        assertThatThrownBy(() -> builder.read("a", 2, "b"))
                .hasMessage("b reads output 2 of a, which has 2");
        assertThatThrownBy(() -> builder.read("x", 0, "b")).hasMessage("there is no operator x");
        assertThatThrownBy(() -> builder.add(Operator.of("a", 1)))
                .hasMessage("two operators are called a");
    }

    @Test
    void aGroupIsBoundWhereOneOfItIs() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withGroup("g"));
        builder.add(Operator.of("b", 1).withGroup("g").withDevice("d1"));
        builder.add(Operator.of("c", 1));
        DeviceCluster cluster = Graphs.devices(2, 10);

        assertThat(builder.build().bound(cluster)).containsExactly(1, 1, -1);

        builder.add(Operator.of("d", 1).withGroup("g").withDevice("d0"));
        OperatorGraph torn = builder.build();
        assertThatThrownBy(() -> torn.bound(cluster))
                .hasMessage("colocation group g is bound to d1 and to d0");
    }

    /** Sums of larger numbers might overflow. */
    @Test
    void moreThanAPebibyteIsRefused() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withPersistent(Long.MAX_VALUE - 5));
        builder.add(Operator.of("b", 1).withPersistent(Long.MAX_VALUE - 5));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the operators of a graph must need at most 1,125,899,906,842,624 bytes"
                                + " in total");
    }

    @Test
    void moreDevicesThanAlgorithmsCanTryAreRefused() {
        assertThatThrownBy(() -> Graphs.devices(10_001, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there must be at most 10,000 devices, got 10,001");
    }
}
