package dev.levee.operators.placement.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class TrainingStepTest {
    /** a, which is trained, feeds b and c, which feed d; c is in a group. */
    private static OperatorGraph diamond() {
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        graph.add(Operator.of("a", 1).withPersistent(1).withOutputs(10));
        graph.add(Operator.of("b", 2).withPersistent(7).withTemporary(3).withOutputs(20));
        graph.add(Operator.of("c", 3).withGroup("tower").withOutputs(30, 5));
        graph.add(Operator.of("d", 4));
        return graph.read("a", 0, "b")
                .read("a", 0, "c")
                .read("b", 0, "d")
                .read("c", 0, "d")
                .read("c", 1, "d")
                .build();
    }

    private static List<String> readers(OperatorGraph graph, String name) {
        List<String> readers = new ArrayList<>();
        for (int edge : graph.out(graph.id(name))) {
            readers.add(graph.operator(graph.to(edge)).name());
        }
        return readers;
    }

    @Test
    void everyOperatorHasABackwardOperatorInItsGroup() {
        OperatorGraph step = TrainingStep.of(diamond(), 2);

        assertThat(step.size()).isEqualTo(8);
        Operator backward = step.operator(step.id("b.backward"));
        assertThat(backward.seconds()).isEqualTo(4);
        assertThat(backward.persistent()).isZero();
        assertThat(backward.temporary()).isEqualTo(3);
        assertThat(backward.phase()).isEqualTo(PassDirection.BACKWARD);
        assertThat(backward.outputs()).containsExactly(Output.of(10));
        assertThat(step.operator(step.id("b")).persistent()).isEqualTo(7);
        assertThat(step.group(step.id("b"))).isEqualTo(step.group(step.id("b.backward")));
        assertThat(step.operator(step.id("c.backward")).group()).isEqualTo("tower");
    }

    @Test
    void whatWasReadIsHeldUntilTheBackwardPassAndGradientsGoBack() {
        OperatorGraph step = TrainingStep.of(diamond(), 2);

        assertThat(readers(step, "a"))
                .containsExactlyInAnyOrder("b", "c", "a.backward", "b.backward", "c.backward");
        assertThat(readers(step, "d")).containsExactly("d.backward");
        assertThat(readers(step, "d.backward"))
                .containsExactlyInAnyOrder("b.backward", "c.backward");
        assertThat(step.operator(step.id("d.backward")).outputs())
                .containsExactly(Output.of(20), Output.of(30), Output.of(5));
        assertThat(step.operator(step.id("a.backward")).outputs()).isEmpty();
    }

    @Test
    void nobodyNeedsGradientsOfSamples() {
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        graph.add(Operator.of("samples", 0).withOutputs(10));
        graph.add(Operator.of("dense", 1).withPersistent(8).withOutputs(2));

        OperatorGraph step = TrainingStep.of(graph.read("samples", 0, "dense").build(), 2);

        assertThat(step.operators())
                .extracting(Operator::name)
                .containsExactly("samples", "dense", "dense.backward");
        assertThat(step.operator(2).outputs()).isEmpty();
        assertThat(readers(step, "samples")).containsExactlyInAnyOrder("dense", "dense.backward");
    }
}
