package dev.levee.operators.placement.algorithm;

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
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import org.junit.jupiter.api.Test;

import java.util.List;

class AlgorithmsTest {
    /** The solver's answers are good to about this. */
    private static final double SOLVER = 1e-6;

    private static OperatorGraph persistent(long... bytes) {
        Operator[] operators = new Operator[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            operators[i] = Graphs.op("o" + i, 1, bytes[i], 1);
        }
        return Graphs.chain(operators);
    }

    /** 12 bytes on 2 devices are 6 each, and the largest has 4: a device is full at 10. */
    @Test
    void mTopoFillsAnEvenShareAndTheLargest() throws InfeasibleException {
        assertThat(new MTopo(false).place(persistent(3, 3, 2, 4), Graphs.devices(2, 99)).devices())
                .containsExactly(0, 0, 0, 1);
        assertThat(new MTopo(true).place(persistent(3, 3, 2, 4), Graphs.devices(2, 7)).devices())
                .containsExactly(0, 0, 1, 1);
        assertThat(new MTopo(true).place(persistent(3, 3, 2, 4), Graphs.devices(2, 99)).devices())
                .containsExactly(0, 0, 0, 0);
    }

    /** The small device takes its 4, so the others share 16 as 8 each, and the largest 4. */
    @Test
    void mTopoSharesWhatASmallDeviceCannotTake() throws InfeasibleException {
        DeviceCluster cluster =
                DeviceCluster.of(
                        List.of(Device.of("s", 4), Device.of("l", 30), Device.of("m", 30)),
                        new Link(0, 1),
                        Transfers.PARALLEL);

        assertThat(new MTopo(false).place(persistent(4, 4, 4, 4, 4), cluster).devices())
                .containsExactly(0, 1, 1, 1, 2);
    }

    @Test
    void mTopoNeverGoesBack() {
        assertThatThrownBy(() -> new MTopo(true).place(persistent(3, 5, 3), Graphs.devices(2, 7)))
                .isInstanceOf(InfeasibleException.class)
                .hasMessageContaining("operator o2 needs 3 bytes");
    }

    @Test
    void roundRobinDealsAndOneDeviceTakesAll() throws InfeasibleException {
        OperatorGraph graph = persistent(1, 1, 1, 1);

        assertThat(new RoundRobin().place(graph, Graphs.devices(3, 9)).devices())
                .containsExactly(0, 1, 2, 0);
        DeviceCluster unequal =
                DeviceCluster.of(
                        List.of(Device.of("a", 9), new Device("b", 9, 2), new Device("c", 3, 4)),
                        new Link(0, 1),
                        Transfers.PARALLEL);
        OperatorSchedule single = new SingleDevice().place(graph, unequal);
        assertThat(single.devices()).containsOnly(1);
        assertThat(single.makespan()).isEqualTo(2);
    }

    /** Both outputs together leave no room for the 20 bytes that the device always holds. */
    @Test
    void persistentMemoryIsTakenFromTheStart() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withOutputs(50));
        builder.add(Operator.of("b", 1).withOutputs(50));
        builder.add(Operator.of("r1", 1).withPersistent(10));
        builder.add(Operator.of("r2", 1).withPersistent(10).withGroup("g").withDevice("d0"));
        builder.add(Operator.of("r3", 0).withDevice("d0").withGroup("g"));
        OperatorGraph graph = builder.read("a", 0, "r1").read("b", 0, "r2").build();

        for (Placer placer : List.of(new SingleDevice(), new RoundRobin())) {
            assertThat(placer.place(graph, Graphs.devices(1, 100)).makespan()).isEqualTo(4);
        }
    }

    /** w ≥ 2 + 3·x₁ + 5 and w ≥ 2 + x₂ + 3 with x₁ + x₂ ≥ 1: x₁ = 0. */
    @Test
    void theProgramFavorsTheChildThatMatters() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 2, 5, 3, 1));
        builder.add(Graphs.op("b", 5, 3));
        builder.add(Graphs.op("c", 3, 2));
        OperatorGraph graph = builder.read("a", 0, "b").read("a", 1, "c").build();
        DeviceCluster cluster = Graphs.devices(2, 10);

        double[] relaxed = RelaxedSct.solve(graph, cluster, 100);
        OperatorSchedule schedule = new MSct(false, 0.5).place(graph, cluster);

        assertThat(relaxed[0]).isEqualTo(0, within(SOLVER));
        assertThat(relaxed[1]).isEqualTo(1, within(SOLVER));
        assertThat(schedule.devices()).containsExactly(0, 0, 1);
        assertThat(schedule.start(1)).isEqualTo(2);
        assertThat(schedule.start(2)).isEqualTo(3);
    }

    /** Two children alike share: both at a half, so either threshold decides for both alike. */
    @Test
    void ofTwoFavoritesTheLaterEdgeWins() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 2, 2));
        builder.add(Graphs.op("b", 5, 0));
        builder.add(Graphs.op("c", 5, 0));
        OperatorGraph graph = builder.read("a", 0, "b").read("a", 1, "c").build();

        double[] relaxed = RelaxedSct.solve(graph, Graphs.devices(2, 10), 100);

        assertThat(relaxed).containsExactly(new double[] {0.5, 0.5}, within(SOLVER));
        assertThat(MSct.favorites(graph, relaxed, 0.4)).containsExactly(-1, -1, -1);
        assertThat(MSct.favorites(graph, relaxed, 0.6)).containsExactly(2, -1, -1);
    }

    @Test
    void theOlderParentOfASharedChildLosesIt() {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 1));
        builder.add(Graphs.op("b", 1, 0, 1));
        builder.add(Graphs.op("c", 1, 0));
        OperatorGraph graph = builder.read("a", 0, "c").read("b", 0, "c").build();

        assertThat(MSct.favorites(graph, new double[] {0, 1}, 0.5)).containsExactly(2, -1, -1);
        assertThat(MSct.favorites(graph, new double[] {1, 1}, 0.5)).containsExactly(-1, -1, -1);
        assertThat(MSct.favorites(graph, new double[] {0, 0}, 0.5)).containsExactly(-1, 2, -1);
    }

    /** An idle device would have helped: neither m-ETF nor m-SCT sees it, the search does. */
    @Test
    void theSearchFindsWhatListSchedulingMisses() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 5, 0, 1));
        builder.add(Graphs.op("b", 4, 0, 3, 1));
        builder.add(Graphs.op("c", 7, 0));
        builder.add(Graphs.op("d", 4, 0));
        builder.read("a", 0, "c").read("b", 0, "c").read("b", 1, "d");
        OperatorGraph graph = builder.build();
        DeviceCluster cluster = Graphs.devices(2, 10);

        assertThat(new MEtf(false).place(graph, cluster).makespan()).isEqualTo(14);
        assertThat(new MSct(false, 0.5).place(graph, cluster).makespan()).isEqualTo(14);
        OperatorSchedule shortest = new ExactSearch().place(graph, cluster);
        assertThat(shortest.makespan()).isEqualTo(13);
        assertThat(shortest.start(2)).isEqualTo(6);
    }

    private static OperatorGraph stages() {
        return Graphs.chain(
                Graphs.op("a", 4, 1, 1),
                Graphs.op("b", 3, 1, 1),
                Graphs.op("c", 2, 1, 1),
                Graphs.op("d", 1, 1));
    }

    @Test
    void stagesAreBalanced() throws InfeasibleException {
        ContiguousStages stages = new ContiguousStages();

        assertThat(stages.place(stages(), Graphs.devices(2, 9)).devices())
                .containsExactly(0, 1, 1, 1);
        assertThat(stages.place(stages(), Graphs.devices(3, 9)).devices())
                .containsExactly(0, 1, 2, 2);
        assertThat(stages.place(stages(), Graphs.devices(2, 2)).devices())
                .containsExactly(0, 0, 1, 1);
    }

    /** Cut behind a the slower stage takes 6, but a second device of half the speed 12. */
    @Test
    void stagesKnowSpeedsAndLinks() throws InfeasibleException {
        ContiguousStages stages = new ContiguousStages();
        List<Device> unequal = List.of(Device.of("a", 9), new Device("b", 9, 0.5));

        assertThat(
                        stages.place(
                                        stages(),
                                        DeviceCluster.of(
                                                unequal, new Link(0, 1), Transfers.PARALLEL))
                                .devices())
                .containsExactly(0, 0, 1, 1);
        // What crosses takes 20, and one device alone 10.
        assertThat(
                        stages.place(
                                        stages(),
                                        DeviceCluster.of(
                                                unequal, new Link(0, 0.05), Transfers.PARALLEL))
                                .devices())
                .containsOnly(0);
    }

    @Test
    void stagesThatDoNotFitNameWhereTheyEnd() {
        assertThatThrownBy(() -> new ContiguousStages().place(stages(), Graphs.devices(3, 1)))
                .isInstanceOf(InfeasibleException.class)
                .hasMessageContaining("operator d needs 1 bytes");
    }

    @Test
    void stagesThatBindingsPreventAreNotAMatterOfMemory() {
        OperatorGraph graph =
                Graphs.chain(
                        Graphs.op("a", 1, 1, 1).withDevice("d1"),
                        Graphs.op("b", 1, 1, 1),
                        Graphs.op("c", 1, 1).withDevice("d0"));
        assertThatThrownBy(() -> new ContiguousStages().place(graph, Graphs.devices(2, 99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "stages follow the order of the devices, but operator c is bound to d0 and"
                                + " runs after operator a, which is bound to d1");
    }

    /** Stages of 5 and 8 seconds are best, but the 8 bytes between them take 8 more at each end. */
    @Test
    void stagesAvoidCutsThatTakeProcessorTime() throws InfeasibleException {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 5).withOutputs(8),
                        Operator.of("b", 4).withOutputs(1),
                        Operator.of("c", 4));
        DeviceCluster cluster =
                DeviceCluster.of(
                        List.of(Device.of("d0", 99), Device.of("d1", 99)),
                        new Link(0, Double.POSITIVE_INFINITY),
                        Transfers.PARALLEL);

        assertThat(new ContiguousStages().place(graph, cluster).devices()).containsExactly(0, 1, 1);
        assertThat(
                        new ContiguousStages()
                                .place(graph, cluster.withHandling(new HandlingCost(0, 1, 0)))
                                .devices())
                .containsExactly(0, 0, 1);
    }
}
