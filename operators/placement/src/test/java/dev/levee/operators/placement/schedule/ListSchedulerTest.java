package dev.levee.operators.placement.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Graphs;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.ListScheduler.Rules;

import org.junit.jupiter.api.Test;

import java.util.List;

class ListSchedulerTest {
    private static OperatorSchedule etf(OperatorGraph graph, DeviceCluster cluster)
            throws InfeasibleException {
        return ListScheduler.run(graph, cluster, Rules.earliest(graph, cluster, false));
    }

    private static void assertRuns(
            OperatorGraph graph, OperatorSchedule schedule, String name, int device, double start) {
        int id = graph.id(name);
        assertThat(schedule.device(id)).as("device of " + name).isEqualTo(device);
        assertThat(schedule.start(id)).as("start of " + name).isEqualTo(start);
    }

    /** Two producers do not fit one device together; the reader goes where the dear input is. */
    @Test
    void thePairThatCanStartEarliestIsNext() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 2, 5, 1));
        builder.add(Graphs.op("b", 3, 6, 3));
        builder.add(Graphs.op("c", 5, 2));
        OperatorGraph graph = builder.read("a", 0, "c").read("b", 0, "c").build();

        OperatorSchedule schedule = etf(graph, Graphs.devices(2, 10));

        assertRuns(graph, schedule, "a", 0, 0);
        assertRuns(graph, schedule, "b", 1, 0);
        assertRuns(graph, schedule, "c", 1, 3);
        assertThat(schedule.makespan()).isEqualTo(8);
        DeviceUsage[] usages = DeviceUsage.of(graph, Graphs.devices(2, 10), schedule);
        assertThat(usages).extracting(DeviceUsage::peak).containsExactly(5L, 8L);
        assertThat(usages).extracting(DeviceUsage::received).containsExactly(0L, 1L);
    }

    /** The graph of Baechi's figure 1: with 4 bytes a device c finds no room beside a and b. */
    @Test
    void memoryMovesAnOperatorAway() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 1, 1));
        builder.add(Graphs.op("b", 3, 2, 1));
        builder.add(Graphs.op("c", 3, 2, 1));
        builder.add(Graphs.op("d", 1, 1));
        builder.add(Graphs.op("e", 3, 1, 1));
        builder.add(Graphs.op("f", 1, 1, 1));
        builder.read("a", 0, "b").read("a", 0, "e").read("b", 0, "c").read("e", 0, "f");
        OperatorGraph graph = builder.read("c", 0, "d").read("f", 0, "d").build();

        OperatorSchedule roomy = etf(graph, Graphs.devices(2, 8));
        assertRuns(graph, roomy, "c", 0, 4);
        assertRuns(graph, roomy, "f", 1, 5);
        assertRuns(graph, roomy, "d", 0, 7);
        assertThat(roomy.makespan()).isEqualTo(8);

        OperatorSchedule narrow = etf(graph, Graphs.devices(2, 4));
        assertRuns(graph, narrow, "b", 0, 1);
        assertRuns(graph, narrow, "e", 1, 2);
        assertRuns(graph, narrow, "c", 1, 5);
        assertRuns(graph, narrow, "f", 0, 6);
        assertRuns(graph, narrow, "d", 1, 8);
        assertThat(narrow.makespan()).isEqualTo(9);
    }

    @Test
    void anOutputTravelsOnceToADevice() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 3).withDevice("d0"));
        builder.add(Graphs.op("b", 1, 0).withDevice("d1"));
        builder.add(Graphs.op("c", 1, 0).withDevice("d1"));
        OperatorGraph graph = builder.read("a", 0, "b").read("a", 0, "c").build();

        OperatorSchedule schedule = etf(graph, Graphs.devices(2, 10));

        assertThat(schedule.transfers()).containsExactly(new Transfer(0, 0, 1, 1, 4));
        assertRuns(graph, schedule, "b", 1, 4);
        assertRuns(graph, schedule, "c", 1, 5);
    }

    @Test
    void sequentialTransfersWaitForOneAnother() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 0, 3, 2).withDevice("d0"));
        builder.add(Graphs.op("b", 1, 0).withDevice("d1"));
        builder.add(Graphs.op("c", 1, 0).withDevice("d2"));
        OperatorGraph graph = builder.read("a", 0, "b").read("a", 1, "c").build();

        OperatorSchedule parallel = etf(graph, Graphs.devices(3, 10, Transfers.PARALLEL));
        assertRuns(graph, parallel, "b", 1, 4);
        assertRuns(graph, parallel, "c", 2, 3);

        // At 3 c's input would be there, so it is sent first; b's then leaves at 3.
        OperatorSchedule sequential = etf(graph, Graphs.devices(3, 10, Transfers.SEQUENTIAL));
        assertRuns(graph, sequential, "c", 2, 3);
        assertRuns(graph, sequential, "b", 1, 6);
    }

    /** y receives from 1 to 11, so the input of x leaves at 11, and z runs until it arrives. */
    @Test
    void aSequentialTransferMayDelayAnInputThatWasNext() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("p", 1, 0, 5).withDevice("d0"));
        builder.add(Graphs.op("q", 1, 0, 10).withDevice("d1"));
        builder.add(Graphs.op("busy0", 11, 0).withDevice("d0"));
        builder.add(Graphs.op("busy1", 11, 0).withDevice("d1"));
        builder.add(Graphs.op("y", 1, 0).withDevice("d0"));
        builder.add(Graphs.op("x", 1, 0).withDevice("d1"));
        builder.add(Graphs.op("z", 1, 0).withDevice("d1"));
        OperatorGraph graph = builder.read("q", 0, "y").read("p", 0, "x").build();

        OperatorSchedule schedule = etf(graph, Graphs.devices(2, 10, Transfers.SEQUENTIAL));

        assertRuns(graph, schedule, "y", 0, 12);
        assertRuns(graph, schedule, "z", 1, 12);
        assertRuns(graph, schedule, "x", 1, 16);
    }

    @Test
    void unequalDevicesAndLinksCount() throws InfeasibleException {
        OperatorGraph graph =
                Graphs.chain(Graphs.op("a", 4, 0, 6), Graphs.op("b", 4, 0).withDevice("slow"));
        DeviceCluster cluster =
                DeviceCluster.of(
                                List.of(new Device("fast", 10, 2), new Device("slow", 10, 1)),
                                new Link(0, 1),
                                Transfers.PARALLEL)
                        .withLink("slow", "fast", new Link(0.5, 4));

        OperatorSchedule schedule = etf(graph, cluster);

        assertRuns(graph, schedule, "a", 0, 0);
        assertRuns(graph, schedule, "b", 1, 2 + 0.5 + 1.5);
        assertThat(schedule.makespan()).isEqualTo(8);
    }

    /** While a's output of 4 waits for its reader, x with its 6 has no room in 8. */
    @Test
    void anOperatorWaitsForMemoryThatAnotherGivesBack() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withOutputs(4));
        builder.add(Operator.of("x", 1).withTemporary(6));
        builder.add(Operator.of("b", 1));
        OperatorGraph graph = builder.read("a", 0, "b").build();

        OperatorSchedule schedule = etf(graph, Graphs.devices(1, 8));

        assertRuns(graph, schedule, "a", 0, 0);
        assertRuns(graph, schedule, "b", 0, 1);
        assertRuns(graph, schedule, "x", 0, 2);
        assertThat(DeviceUsage.of(graph, Graphs.devices(1, 8), schedule)[0].peak()).isEqualTo(6);
    }

    @Test
    void whatNeverFitsIsNamed() {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1).withOutputs(4),
                        Operator.of("b", 1).withTemporary(1).withOutputs(4));

        assertThatThrownBy(() -> etf(graph, Graphs.devices(1, 8)))
                .isInstanceOf(InfeasibleException.class)
                .hasMessage("operator b needs 5 bytes, which no device that may run it has left");
    }

    /** Persistent memory is there from the start of the next step, so a's peak must fit too. */
    @Test
    void persistentMemoryHasToFitBesideEarlierPeaks() {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1).withTemporary(8).withOutputs(0),
                        Operator.of("b", 1).withPersistent(4));

        assertThatThrownBy(() -> etf(graph, Graphs.devices(1, 10)))
                .isInstanceOf(InfeasibleException.class)
                .hasMessageContaining("operator b needs 4 bytes");
    }

    @Test
    void theFirstOfAGroupDecidesForAll() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 1, 2).withGroup("g"));
        builder.add(Graphs.op("b", 5, 1));
        builder.add(Graphs.op("c", 1, 2).withGroup("g"));
        OperatorGraph graph = builder.build();

        OperatorSchedule schedule = etf(graph, Graphs.devices(2, 4));

        assertRuns(graph, schedule, "a", 0, 0);
        assertRuns(graph, schedule, "b", 1, 0);
        assertRuns(graph, schedule, "c", 0, 1);
    }

    /** Persistent 2 + 1, temporary 4 of b, outputs 3 of a: 10 bytes are set aside with a. */
    @Test
    void aReservationTakesTheLargestOfTheGroupAtOnce() throws InfeasibleException {
        OperatorGraph graph =
                Graphs.chain(
                        Operator.of("a", 1)
                                .withPersistent(2)
                                .withTemporary(1)
                                .withOutputs(3)
                                .withGroup("g"),
                        Operator.of("b", 1)
                                .withPersistent(1)
                                .withTemporary(4)
                                .withOutputs(0)
                                .withGroup("g"));
        DeviceCluster enough = Graphs.devices(1, 10);
        DeviceCluster less = Graphs.devices(1, 9);

        assertThat(ListScheduler.run(graph, enough, Rules.earliest(graph, enough, true)).makespan())
                .isEqualTo(2);
        assertThatThrownBy(() -> ListScheduler.run(graph, less, Rules.earliest(graph, less, true)))
                .hasMessageContaining("operator a needs 10 bytes");
    }

    /** With a reservation x finds no room between a and b; without one it takes it from b. */
    @Test
    void aReservationKeepsOthersOut() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Operator.of("a", 1).withOutputs(1).withGroup("g"));
        builder.add(Operator.of("x", 1).withPersistent(4));
        builder.add(Operator.of("b", 1).withTemporary(6).withGroup("g"));
        OperatorGraph graph = builder.read("a", 0, "b").build();
        DeviceCluster cluster =
                DeviceCluster.of(
                        List.of(Device.of("d0", 8), new Device("d1", 4, 0.5)),
                        new Link(0, 1),
                        Transfers.PARALLEL);

        OperatorSchedule reserved =
                ListScheduler.run(graph, cluster, Rules.earliest(graph, cluster, true));

        assertRuns(graph, reserved, "b", 0, 1);
        assertRuns(graph, reserved, "x", 1, 0);
        DeviceCluster one = Graphs.devices(1, 8);
        assertThatThrownBy(() -> etf(graph, one)).hasMessageContaining("operator b needs 6 bytes");
    }

    /**
     * u runs on d0 until 1, w on d1 until 2. v reads both and is the favourite child of u: on d0 it
     * can start at 3, on d1 at 4. y can start on d0 at 2.25, but on d1 not before 4.
     */
    @Test
    void aDeviceWaitsForTheFavoriteChildOfItsLastOperator() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("u", 1, 0, 12, 12).withDevice("d0"));
        builder.add(Graphs.op("w", 2, 0, 4, 1).withDevice("d1"));
        builder.add(Graphs.op("y", 5, 0));
        builder.add(Graphs.op("v", 1, 0));
        builder.read("u", 0, "v").read("w", 0, "v").read("u", 1, "y").read("w", 1, "y");
        OperatorGraph graph = builder.build();
        DeviceCluster cluster =
                DeviceCluster.of(
                        List.of(Device.of("d0", 99), Device.of("d1", 99)),
                        new Link(0, 4),
                        Transfers.PARALLEL);
        Rules etf = Rules.earliest(graph, cluster, false);

        OperatorSchedule greedy = ListScheduler.run(graph, cluster, etf);
        assertRuns(graph, greedy, "y", 0, 2.25);
        assertRuns(graph, greedy, "v", 1, 4);

        OperatorSchedule waiting =
                ListScheduler.run(graph, cluster, etf.withFavorites(new int[] {3, -1, -1, -1}));
        assertRuns(graph, waiting, "v", 0, 3);
        assertRuns(graph, waiting, "y", 0, 4);
    }

    /** q keeps d1 busy from 2 on; z has arrived everywhere at 2.25, v not before 3. */
    @Test
    void anAwakeDeviceTakesUrgentOperators() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("u", 1, 0, 12).withDevice("d0"));
        builder.add(Graphs.op("w", 2, 0, 4, 1).withDevice("d1"));
        builder.add(Graphs.op("q", 4, 0).withDevice("d1"));
        builder.add(Graphs.op("z", 0.5, 0));
        builder.add(Graphs.op("v", 1, 0));
        builder.read("u", 0, "v").read("w", 0, "v").read("w", 1, "q").read("w", 1, "z");
        OperatorGraph graph = builder.build();
        DeviceCluster cluster =
                DeviceCluster.of(
                        List.of(Device.of("d0", 99), Device.of("d1", 99)),
                        new Link(0, 4),
                        Transfers.PARALLEL);

        OperatorSchedule schedule =
                ListScheduler.run(
                        graph,
                        cluster,
                        Rules.earliest(graph, cluster, false)
                                .withFavorites(new int[] {4, -1, -1, -1, -1}));

        assertRuns(graph, schedule, "q", 1, 2);
        assertRuns(graph, schedule, "z", 0, 2.25);
        assertRuns(graph, schedule, "v", 0, 3);
    }

    /**
     * b is the favourite child's parent, but both devices could start c at 4: the lower id wins.
     */
    @Test
    void ofEqualDevicesTheLowerOneTakesEvenAFavoriteChild() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("a", 2, 5, 2));
        builder.add(Graphs.op("b", 3, 3, 1));
        builder.add(Graphs.op("c", 3, 2));
        OperatorGraph graph = builder.read("a", 0, "c").read("b", 0, "c").build();
        DeviceCluster cluster = Graphs.devices(2, 10);

        for (int[] favorites : new int[][] {{-1, 2, -1}, {2, -1, -1}}) {
            OperatorSchedule schedule =
                    ListScheduler.run(
                            graph,
                            cluster,
                            Rules.earliest(graph, cluster, false).withFavorites(favorites));
            assertRuns(graph, schedule, "c", 0, 4);
            assertThat(schedule.makespan()).isEqualTo(7);
        }
    }

    /** A file may list the reader first, so that its id is lower than that of its producer. */
    @Test
    void operatorsThatTakeNoTimeRunInTheOrderOfTheirDependencies() throws InfeasibleException {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        builder.add(Graphs.op("c", 0, 0));
        builder.add(Graphs.op("b", 0, 0, 1));
        builder.add(Graphs.op("a", 0, 0, 1));
        OperatorGraph graph = builder.read("a", 0, "b").read("b", 0, "c").build();
        DeviceCluster cluster = Graphs.devices(1, 10);

        OperatorSchedule schedule = etf(graph, cluster);

        assertThat(schedule.sequences(1)[0]).containsExactly(2, 1, 0);
        assertThat(CriticalPath.of(graph, cluster, schedule).operators()).containsExactly(2, 1, 0);
        assertThat(
                        ListScheduler.run(
                                        graph,
                                        cluster,
                                        Rules.on(new int[3]).inOrder(schedule.sequences(1)))
                                .makespan())
                .isZero();
    }

    @Test
    void whatBoundsAScheduleIsReadFromItsCriticalPath() throws InfeasibleException {
        OperatorGraph chain =
                Graphs.chain(Graphs.op("a", 2, 0, 9), Graphs.op("b", 3, 0).withDevice("d1"));
        DeviceCluster cluster = Graphs.devices(2, 10);
        CriticalPath path =
                CriticalPath.of(
                        chain,
                        cluster,
                        ListScheduler.run(chain, cluster, Rules.on(new int[] {0, 1})));

        assertThat(path).isEqualTo(new CriticalPath(List.of(0, 1), 5, 0, 9, 0));
        assertThat(path.limit()).isEqualTo(CriticalPath.Limit.TRANSFERS);
        assertThat(Bounds.of(chain, cluster)).isEqualTo(new Bounds(5, 2.5, 4.5));
        assertThat(Bounds.of(chain, cluster).lowerBound()).isEqualTo(5);
        assertThat(Bounds.of(chain, cluster).sct()).isEmpty();
        assertThat(new Bounds(5, 2.5, 1).sct()).hasValue(4.0 / 3);
    }
}
