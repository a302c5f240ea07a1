package dev.levee.operators.placement.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Small cases in the style of the tests of Baechi's code. */
class FusedGraphTest {
    private static Operator op(
            String name, double seconds, long persistent, long temporary, String group) {
        return Operator.of(name, seconds)
                .withPersistent(persistent)
                .withTemporary(temporary)
                .withGroup(group);
    }

    @Test
    void aChainOfOneGroupBecomesOneOperator() {
        OperatorGraph chain =
                Graphs.chain(
                        op("a", 2, 5, 0, "g").withOutputs(1),
                        op("b", 3, 0, 2, "g").withOutputs(2),
                        op("c", 3, 0, 4, "g"));

        FusedGraph fused = FusedGraph.of(chain);

        assertThat(fused.graph().operators()).containsExactly(op("a", 8, 5, 4, "g"));
        assertThat(fused.members(0)).containsExactly(0, 1, 2);
    }

    @Test
    void whereTheGroupEndsTheOutputOfTheLastStays() {
        OperatorGraph chain =
                Graphs.chain(
                        op("a", 2, 5, 0, "g").withOutputs(1),
                        op("b", 3, 0, 2, "g").withOutputs(2),
                        op("c", 3, 0, 4, "h"));

        OperatorGraph fused = FusedGraph.of(chain).graph();

        assertThat(fused.operators())
                .containsExactly(op("a", 5, 5, 2, "g").withOutputs(2), op("c", 3, 0, 4, "h"));
        assertThat(fused.edges()).isEqualTo(1);
        assertThat(fused.bytes(fused.carried(0)[0])).isEqualTo(2);
    }

    @Test
    void twoProducersJoinTheirOnlyReader() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(op("a", 2, 5, 0, "g").withOutputs(1));
        builder.add(op("b", 3, 3, 0, "g").withOutputs(2));
        builder.add(op("c", 3, 2, 4, "g"));
        builder.read("a", 0, "c").read("b", 0, "c");

        assertThat(FusedGraph.of(builder.build()).graph().operators())
                .containsExactly(op("a", 8, 10, 4, "g"));
    }

    /** a feeds b and c, both of which feed d; a and b, c and d are of one group. */
    @Test
    void bothSidesOfADiamondAreFusedAndTheirEdgesJoined() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(op("a", 2, 5, 0, "g").withOutputs(1, 2));
        builder.add(op("b", 3, 3, 5, "g").withOutputs(3));
        builder.add(op("c", 3, 2, 2, "h").withOutputs(4));
        builder.add(op("d", 1, 0, 7, "h"));
        builder.read("a", 0, "b").read("a", 1, "c").read("b", 0, "d").read("c", 0, "d");

        OperatorGraph fused = FusedGraph.of(builder.build()).graph();

        assertThat(fused.operators())
                .containsExactly(op("a", 5, 8, 5, "g").withOutputs(2, 3), op("c", 4, 2, 7, "h"));
        assertThat(fused.edges()).isEqualTo(1);
        assertThat(fused.carried(0)).hasSize(2);
    }

    /** The same, but b reads d: one operator of a and b would wait for itself. */
    @Test
    void whatWouldMakeACycleIsLeft() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(op("a", 2, 5, 0, "g").withOutputs(1, 2));
        builder.add(op("b", 3, 3, 5, "g"));
        builder.add(op("c", 3, 2, 2, "h").withOutputs(4));
        builder.add(op("d", 1, 0, 7, "h").withOutputs(3));
        builder.read("a", 0, "b").read("a", 1, "c").read("d", 0, "b").read("c", 0, "d");

        OperatorGraph fused = FusedGraph.of(builder.build()).graph();

        assertThat(fused.operators()).extracting(Operator::name).containsExactly("a", "b", "c");
    }

    @Test
    void coplacementPutsAnOperatorIntoTheGroupOfItsOnlyReader() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 1));
        builder.add(Graphs.op("b", 1, 0, 1));
        builder.add(Graphs.op("c", 1, 0));
        builder.add(Graphs.op("d", 1, 0));
        builder.read("a", 0, "b").read("b", 0, "c").read("b", 0, "d");

        OperatorGraph coplaced = Coplacement.of(builder.build());

        assertThat(coplaced.group(0)).isEqualTo(coplaced.group(1)).isEqualTo(0);
        assertThat(coplaced.group(2)).isEqualTo(-1);
        assertThat(coplaced.edges()).isEqualTo(3);
    }

    /** The group of x and tower is named after neither the group nor an operator of the user. */
    @Test
    void coplacementKeepsOtherGroupsApart() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("x", 1, 0, 1));
        builder.add(Graphs.op("tower", 1, 0));
        builder.add(Graphs.op("lone", 1, 0).withGroup("tower"));
        OperatorGraph coplaced = Coplacement.of(builder.read("x", 0, "tower").build());

        assertThat(coplaced.group(0)).isEqualTo(coplaced.group(1)).isEqualTo(0);
        assertThat(coplaced.group(2)).isEqualTo(1);
    }
}
