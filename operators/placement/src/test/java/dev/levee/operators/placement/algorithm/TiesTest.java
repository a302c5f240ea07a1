package dev.levee.operators.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.placement.graph.Graphs;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import org.junit.jupiter.api.Test;

/** Example graphs of Baechi's code, worked by hand: ids and topological order break ties alike. */
class TiesTest {
    /**
     * At 9 both devices are free: d goes to d1, where its input is, and e to d0. c follows on d1 at
     * 14, where a's output arrived at 11, and f on d0 behind e.
     */
    @Test
    void readyOperatorsAreTakenWhereTheyStartFirst() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 9, 0, 2));
        builder.add(Graphs.op("b", 9, 0, 3, 1));
        builder.add(Graphs.op("c", 8, 0));
        builder.add(Graphs.op("d", 5, 0));
        builder.add(Graphs.op("e", 6, 0, 3));
        builder.add(Graphs.op("f", 4, 0));
        builder.read("a", 0, "c").read("b", 0, "c").read("b", 1, "d").read("e", 0, "f");
        OperatorGraph graph = builder.build();

        OperatorSchedule schedule = new MEtf(false).place(graph, Graphs.devices(2, 4));

        assertThat(schedule.devices()).containsExactly(0, 1, 1, 1, 0, 0);
        assertThat(new double[] {schedule.start(2), schedule.start(3), schedule.start(4)})
                .containsExactly(14, 9, 9);
        assertThat(schedule.makespan()).isEqualTo(22);
    }

    /**
     * The first operators of Hanen and Munier's example, on three devices: c could start at 8 on
     * d0, where b's output arrives then, and at 7 on d1, where a's has arrived.
     */
    @Test
    void theReaderOfTwoProducersGoesWhereTheLaterOneRan() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 6, 0, 1, 5, 2));
        builder.add(Graphs.op("b", 7, 0, 1, 1, 1));
        builder.add(Graphs.op("c", 9, 0));
        builder.add(Graphs.op("d", 8, 0));
        builder.add(Graphs.op("e", 10, 0));
        for (int i = 0; i < 3; i++) {
            builder.read(0, i, 2 + i).read(1, i, 2 + i);
        }
        OperatorGraph graph = builder.build();

        OperatorSchedule schedule = new MEtf(false).place(graph, Graphs.devices(3, 4));

        // d on d0 at 8, where a ran; e on d2, where both inputs have arrived at 8.
        assertThat(schedule.devices()).containsExactly(0, 1, 1, 0, 2);
        assertThat(new double[] {schedule.start(2), schedule.start(3), schedule.start(4)})
                .containsExactly(7, 8, 8);
    }
}
