package dev.levee.operators.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Graphs;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.PassDirection;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.DeviceUsage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;

class PlacementPlannerTest {
    /** Sums of a few doubles in another order. */
    private static final double ROUNDING = 1e-9;

    private static PlacementOptions microBatches(int count, PipelineOrder order) {
        return PlacementOptions.DEFAULT.withMicroBatches(count, order);
    }

    /** As many equal layers as devices: 4 seconds forward, 8 backward, 8 bytes of activations. */
    private static OperatorGraph layers(int count) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int i = 0; i < count; i++) {
            builder.add(
                    Operator.of("f" + i, 4)
                            .withPersistent(1)
                            .withOutputs(8)
                            .withGroup("layer " + i));
        }
        for (int i = count - 1; i >= 0; i--) {
            builder.add(
                    Operator.of("b" + i, 8)
                            .withOutputs(0)
                            .withGroup("layer " + i)
                            .withPhase(PassDirection.BACKWARD));
        }
        for (int i = 0; i < count; i++) {
            builder.read("f" + i, 0, "b" + i);
            if (i > 0) {
                builder.read("f" + (i - 1), 0, "f" + i).read("b" + i, 0, "b" + (i - 1));
            }
        }
        return builder.build();
    }

    /** Links that carry an activation of 8 bytes in a part of a nanosecond. */
    private static DeviceCluster fast(int count) {
        return DeviceCluster.of(
                Graphs.devices(count, 1000).devices(),
                new Link(0, Double.POSITIVE_INFINITY),
                Transfers.PARALLEL);
    }

    /** k stages and m micro-batches: a step takes (m + k − 1) / m times a stage's 12 seconds. */
    @ParameterizedTest
    @EnumSource(PipelineOrder.class)
    void aPipelineHasTheBubbleOfItsFormula(PipelineOrder order) {
        int stages = 3;
        for (int count : new int[] {2, 4, 8}) {
            PlacementPlan plan =
                    PlacementPlanner.plan(
                            layers(stages),
                            fast(stages),
                            Algorithm.STAGES,
                            microBatches(count, order));

            assertThat(plan.devices()).containsExactly(0, 1, 2, 2, 1, 0);
            assertThat(plan.makespan())
                    .isEqualTo(12.0 * (count + stages - 1) / count, within(ROUNDING));
        }
    }

    /** Of 8 micro-batches of 1 byte each GPipe holds all, 1F1B as many as stages that follow. */
    @Test
    void oneForwardOneBackwardHoldsFewerActivations() {
        PlacementPlan gpipe =
                PlacementPlanner.plan(
                        layers(3), fast(3), Algorithm.STAGES, microBatches(8, PipelineOrder.GPIPE));
        PlacementPlan alternating =
                PlacementPlanner.plan(
                        layers(3),
                        fast(3),
                        Algorithm.STAGES,
                        microBatches(8, PipelineOrder.ONE_FORWARD_ONE_BACKWARD));

        assertThat(gpipe.step().usage()).extracting(DeviceUsage::peak).containsExactly(9L, 9L, 9L);
        assertThat(alternating.step().usage())
                .extracting(DeviceUsage::peak)
                .containsExactly(4L, 3L, 2L);
    }

    @Test
    void oneForwardOneBackwardRefusesStagesThatComeBack() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        String[] devices = {"d0", "d1", "d0"};
        for (int i = 0; i < 3; i++) {
            builder.add(Operator.of("f" + i, 1).withOutputs(1).withDevice(devices[i]));
        }
        for (int i = 2; i >= 0; i--) {
            builder.add(
                    Operator.of("b" + i, 1)
                            .withOutputs(1)
                            .withDevice(devices[i])
                            .withPhase(PassDirection.BACKWARD));
        }
        for (int i = 1; i < 6; i++) {
            builder.read(i - 1, 0, i);
        }
        OperatorGraph graph = builder.build();

        assertThatThrownBy(
                        () ->
                                PlacementPlanner.plan(
                                        graph,
                                        Graphs.devices(2, 99),
                                        Algorithm.M_ETF,
                                        microBatches(4, PipelineOrder.ONE_FORWARD_ONE_BACKWARD)))
                .hasMessage(
                        "--schedule 1f1b needs contiguous stages, which --algorithm stages makes");
        assertThat(
                        PlacementPlanner.plan(
                                        graph,
                                        Graphs.devices(2, 99),
                                        Algorithm.M_ETF,
                                        microBatches(4, PipelineOrder.GPIPE))
                                .makespan())
                .isPositive();
    }

    /** a and b need 3 each at once, 4 with b's own output: so 7 bytes on one device would do. */
    @Test
    void whatDoesNotFitSaysWhatWould() {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1).withOutputs(3),
                        Operator.of("b", 1).withTemporary(1).withOutputs(3));

        assertThatThrownBy(
                        () ->
                                PlacementPlanner.plan(
                                        graph,
                                        Graphs.devices(1, 6),
                                        Algorithm.M_ETF,
                                        PlacementOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "operator b needs 4 bytes, which no device that may run it has left, with"
                                + " m-etf; 7 bytes of memory on each device would be enough");
        assertThat(
                        PlacementPlanner.plan(
                                        graph,
                                        Graphs.devices(1, 7),
                                        Algorithm.M_ETF,
                                        PlacementOptions.DEFAULT)
                                .makespan())
                .isEqualTo(2);
    }

    /** 8 bytes are enough for a, r1, b, r2, but m-ETF runs b before r1. */
    @Test
    void whatTheSearchCannotPlaceFitsWhereMEtfFits() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withOutputs(2));
        builder.add(Operator.of("b", 1).withOutputs(2));
        builder.add(Operator.of("r1", 1).withTemporary(6));
        builder.add(Operator.of("r2", 1).withTemporary(6));
        OperatorGraph graph = builder.read("a", 0, "r1").read("b", 0, "r2").build();

        assertThatThrownBy(
                        () ->
                                PlacementPlanner.plan(
                                        graph,
                                        Graphs.devices(1, 7),
                                        Algorithm.EXACT,
                                        PlacementOptions.DEFAULT))
                .hasMessageEndingWith("; 10 bytes of memory on each device would be enough");
    }

    /** Fused, a and b never wait for c; one by one c comes between them. */
    @Test
    void fusedOperatorsRunBehindOneAnother() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 1).withGroup("g"));
        builder.add(Graphs.op("c", 1, 0));
        builder.add(Graphs.op("b", 1, 0).withGroup("g"));
        OperatorGraph graph = builder.read("a", 0, "b").build();

        PlacementPlan fused =
                PlacementPlanner.plan(
                        graph, Graphs.devices(1, 9), Algorithm.M_ETF, PlacementOptions.DEFAULT);
        PlacementPlan single =
                PlacementPlanner.plan(
                        graph,
                        Graphs.devices(1, 9),
                        Algorithm.M_ETF,
                        new PlacementOptions(false, false, false, 0.5, 1, PipelineOrder.GPIPE));

        assertThat(fused.step().schedule().start(graph.id("b"))).isEqualTo(1);
        assertThat(single.step().schedule().start(graph.id("b"))).isEqualTo(2);
    }

    /** The fused operator of x and y reads z, but has a lower id; all of them take no time. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void operatorsThatTakeNoTimeArePlacedInAnyOrderOfTheFile(Algorithm algorithm) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("y", 0, 0).withGroup("g"));
        builder.add(Graphs.op("x", 0, 0, 1).withGroup("g"));
        builder.add(Graphs.op("z", 0, 0, 1));
        OperatorGraph graph = builder.read("x", 0, "y").read("z", 0, "x").build();
        DeviceCluster cluster = Graphs.devices(1, 9).withHandling(HANDLING);

        PlacementPlan plan =
                PlacementPlanner.plan(graph, cluster, algorithm, PlacementOptions.DEFAULT);

        assertThat(plan.step().schedule().sequences(1)[0]).containsExactly(2, 1, 0);
    }

    /** Fused with p, q would run before r gets the output of p. */
    @Test
    void theShortestScheduleIsOneOfSingleOperators() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("p", 1, 0, 1).withGroup("g"));
        builder.add(Graphs.op("q", 10, 0).withGroup("g"));
        builder.add(Graphs.op("r", 10, 0));
        OperatorGraph graph = builder.read("p", 0, "q").read("p", 0, "r").build();

        PlacementPlan plan =
                PlacementPlanner.plan(
                        graph, Graphs.devices(2, 9), Algorithm.EXACT, PlacementOptions.DEFAULT);

        assertThat(plan.makespan()).isEqualTo(12);
    }

    @Test
    void theSearchTakesLargerGraphsIfFusingMakesThemSmallEnough() {
        Operator[] operators = new Operator[16];
        Arrays.setAll(operators, i -> Graphs.op("o" + i, 1, 0, 1).withGroup("g"));

        PlacementPlan plan =
                PlacementPlanner.plan(
                        Graphs.chain(operators),
                        Graphs.devices(2, 9),
                        Algorithm.EXACT,
                        PlacementOptions.DEFAULT);

        assertThat(plan.makespan()).isEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource({
        "d0, d1, colocation group g is bound to d0 and to d1",
        "typo, d1, 'there is no device typo: there are d0, d1'",
    })
    void theBindingsOfFusedOperatorsAreChecked(String first, String second, String message) {
        OperatorGraph graph =
                Graphs.chain(
                        Graphs.op("x", 1, 0, 1).withGroup("g").withDevice(first),
                        Graphs.op("y", 1, 0).withGroup("g").withDevice(second));
        DeviceCluster cluster = Graphs.devices(2, 9);

        assertThatThrownBy(
                        () ->
                                PlacementPlanner.plan(
                                        graph, cluster, Algorithm.M_ETF, PlacementOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** Half a second for a message and a quarter for a byte: 1 second for 2 bytes, at each end. */
    private static final HandlingCost HANDLING = new HandlingCost(0.5, 0.25, 0);

    /** a runs 1 second and sends for 1, the link takes 2, b receives for 1 and runs 1. */
    @Test
    void transfersTakeProcessorTimeAtBothEnds() {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1).withOutputs(2).withDevice("d0"),
                        Operator.of("b", 1).withDevice("d1"));

        PlacementPlan plan =
                PlacementPlanner.plan(
                        graph,
                        Graphs.devices(2, 99).withHandling(HANDLING),
                        Algorithm.M_ETF,
                        PlacementOptions.DEFAULT);

        assertThat(plan.makespan()).isEqualTo(6, within(ROUNDING));
        assertThat(plan.step().schedule().end(0)).isEqualTo(2, within(ROUNDING));
        assertThat(plan.bounds().lowerBound()).isEqualTo(2, within(ROUNDING));
    }

    /** The output of a goes to two devices, and b and c on one of them share it. */
    @Test
    void anOutputIsHandledOncePerDevice() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withOutputs(2).withDevice("d0"));
        builder.add(Operator.of("b", 1).withDevice("d1"));
        builder.add(Operator.of("c", 1).withDevice("d1"));
        builder.add(Operator.of("d", 1).withDevice("d2"));
        OperatorGraph graph = builder.read("a", 0, "b").read("a", 0, "c").read("a", 0, "d").build();

        PlacementPlan plan =
                PlacementPlanner.plan(
                        graph,
                        Graphs.devices(3, 99).withHandling(HANDLING),
                        Algorithm.M_ETF,
                        PlacementOptions.DEFAULT);

        assertThat(plan.step().schedule().end(graph.id("a"))).isEqualTo(3, within(ROUNDING));
        assertThat(plan.step().schedule().end(graph.id("b"))).isEqualTo(7, within(ROUNDING));
        assertThat(plan.step().schedule().end(graph.id("c"))).isEqualTo(8, within(ROUNDING));
        assertThat(plan.step().schedule().end(graph.id("d"))).isEqualTo(7, within(ROUNDING));
    }

    /** r2 runs before r1, which waits for s: 1 + 5 seconds of a, 5 + 1 of r2 and 1 of r1. */
    @Test
    void theFirstReaderThatRunsReceivesAnOutput() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("s", 10).withOutputs(0).withDevice("d0"));
        builder.add(Operator.of("a", 1).withOutputs(10).withDevice("d2"));
        builder.add(Operator.of("r1", 1).withDevice("d1"));
        builder.add(Operator.of("r2", 1).withDevice("d1"));
        builder.read("s", 0, "r1").read("a", 0, "r1").read("a", 0, "r2");

        PlacementPlan plan =
                PlacementPlanner.plan(
                        builder.build(),
                        fast(3).withHandling(new HandlingCost(0, 0.5, 0)),
                        Algorithm.M_ETF,
                        PlacementOptions.DEFAULT);

        assertThat(plan.makespan()).isEqualTo(13, within(ROUNDING));
    }

    /** The same within a device of half the speed takes twice the time, also of handling. */
    @Test
    void aSlowDeviceHandlesTransfersSlowly() {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1).withOutputs(2).withDevice("d0"),
                        Operator.of("b", 1).withDevice("d1"));
        DeviceCluster cluster =
                DeviceCluster.of(
                                List.of(new Device("d0", 99, 1), new Device("d1", 99, 0.5)),
                                new Link(0, 1),
                                Transfers.PARALLEL)
                        .withHandling(HANDLING);

        assertThat(
                        PlacementPlanner.plan(
                                        graph, cluster, Algorithm.M_ETF, PlacementOptions.DEFAULT)
                                .makespan())
                .isEqualTo(8, within(ROUNDING));
    }

    @Test
    void unknownNamesSayWhichThereAre() {
        assertThatThrownBy(() -> Algorithm.parse("etf"))
                .hasMessage(
                        "must be one of m-topo, m-topo-full, m-etf, m-sct, single, round-robin,"
                                + " stages, exact, got etf");
        assertThatThrownBy(() -> PipelineOrder.parse("pipe"))
                .hasMessage("must be gpipe or 1f1b, got pipe");
    }
}
