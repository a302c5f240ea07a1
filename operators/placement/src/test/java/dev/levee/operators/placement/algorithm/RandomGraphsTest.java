package dev.levee.operators.placement.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Graphs;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;
import dev.levee.operators.placement.schedule.Bounds;
import dev.levee.operators.placement.schedule.DeviceUsage;
import dev.levee.operators.placement.schedule.InfeasibleException;
import dev.levee.operators.placement.schedule.ListScheduler;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class RandomGraphsTest {
    /** Sums of a few doubles in another order. */
    private static final double ROUNDING = 1e-9;

    private static final List<Placer> PLACERS =
            List.of(
                    new MTopo(false),
                    new MTopo(true),
                    new MEtf(false),
                    new MEtf(true),
                    new MSct(false, 0.5),
                    new MSct(true, 0.1),
                    new SingleDevice(),
                    new RoundRobin(),
                    new ContiguousStages());

    /** The linear program depends on devices and links, but not on their memory. */
    @Test
    void whatIsRememberedOfAGraphHoldsForAnyMemory() throws InfeasibleException {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            OperatorGraph graph = Graphs.random(random, 2 + random.nextInt(30), 20, 2);
            DeviceCluster small = Graphs.unequal(random, 2000, Transfers.PARALLEL);
            Placer placer = new MSct(false, 0.5);
            Placer remembering = placer.remembering();
            for (DeviceCluster each : List.of(small, small.withMemoryOfAtLeast(1 << 20), small)) {
                OperatorSchedule schedule = remembering.place(graph, each);
                assertThat(schedule.devices())
                        .as("seed %d", seed)
                        .isEqualTo(placer.place(graph, each).devices());
            }
        }
    }

    /** Nothing overlaps, starts before its inputs are there, or takes more than there is. */
    @Tag("long")
    @Test
    void everyScheduleCanBeCarriedOut() {
        int placed = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            OperatorGraph graph =
                    Graphs.random(random, 2 + random.nextInt(30), 20, random.nextInt(4));
            Transfers transfers = Transfers.values()[random.nextInt(2)];
            DeviceCluster cluster = Graphs.unequal(random, 60 + random.nextInt(400), transfers);
            for (Placer placer : PLACERS) {
                String what = "seed %d, %s".formatted(seed, placer);
                OperatorSchedule schedule;
                try {
                    schedule = placer.place(graph, cluster);
                } catch (InfeasibleException e) {
                    continue;
                }
                placed++;
                check(what, graph, cluster, schedule);
                assertThat(schedule.makespan())
                        .as(what)
                        .isGreaterThanOrEqualTo(Bounds.of(graph, cluster).lowerBound() - ROUNDING);
            }
        }
        // Or memory is so short that nothing was checked.
        assertThat(placed).isGreaterThan(1000);
    }

    private static void check(
            String what, OperatorGraph graph, DeviceCluster cluster, OperatorSchedule schedule) {
        for (int[] sequence : schedule.sequences(cluster.size())) {
            for (int i = 1; i < sequence.length; i++) {
                assertThat(schedule.start(sequence[i]))
                        .as(what)
                        .isGreaterThanOrEqualTo(schedule.end(sequence[i - 1]));
            }
        }
        for (int edge = 0; edge < graph.edges(); edge++) {
            int from = graph.from(edge);
            int to = graph.to(edge);
            double there = schedule.end(from);
            for (int output : graph.carried(edge)) {
                if (schedule.device(from) != schedule.device(to)) {
                    double arrival = schedule.arrival(output, schedule.device(to));
                    assertThat(arrival)
                            .as(what)
                            .isGreaterThanOrEqualTo(
                                    schedule.end(from)
                                            + cluster.seconds(
                                                    schedule.device(from),
                                                    schedule.device(to),
                                                    graph.bytes(output))
                                            - ROUNDING);
                    there = Math.max(there, arrival);
                }
            }
            assertThat(schedule.start(to)).as(what).isGreaterThanOrEqualTo(there);
        }
        for (int group = 0; group < graph.groups(); group++) {
            for (int member : graph.members(group)) {
                assertThat(schedule.device(member))
                        .as(what)
                        .isEqualTo(schedule.device(graph.members(group)[0]));
            }
        }
        DeviceUsage[] usages = DeviceUsage.of(graph, cluster, schedule);
        for (int d = 0; d < cluster.size(); d++) {
            Device device = cluster.device(d);
            assertThat(usages[d].peak()).as(what).isLessThanOrEqualTo(device.memory());
        }
    }

    /** The order on the devices says all: run again in that order, a schedule is the same. */
    @Test
    void aScheduleFollowsFromDevicesAndOrder() throws InfeasibleException {
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            OperatorGraph graph = Graphs.random(random, 20, 10, 3);
            DeviceCluster cluster = Graphs.unequal(random, 1000, Transfers.PARALLEL);
            OperatorSchedule first = new MSct(false, 0.5).place(graph, cluster);

            OperatorSchedule again =
                    ListScheduler.run(
                            graph,
                            cluster,
                            ListScheduler.Rules.on(first.devices())
                                    .inOrder(first.sequences(cluster.size())));

            for (int id = 0; id < graph.size(); id++) {
                // A device that waited for its favourite child need not wait again.
                assertThat(again.start(id)).as("seed " + seed).isLessThanOrEqualTo(first.start(id));
            }
        }
    }

    @Test
    void nothingIsShorterThanTheShortest() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            OperatorGraph graph = Graphs.random(random, 2 + random.nextInt(5), 15, 2);
            DeviceCluster cluster =
                    Graphs.unequal(random, 30 + random.nextInt(100), Transfers.PARALLEL);
            OperatorSchedule shortest;
            try {
                shortest = new ExactSearch().place(graph, cluster);
            } catch (InfeasibleException e) {
                continue;
            }
            check("seed " + seed, graph, cluster, shortest);
            for (Placer placer : PLACERS) {
                try {
                    assertThat(shortest.makespan())
                            .as("seed %d, %s".formatted(seed, placer))
                            .isLessThanOrEqualTo(
                                    placer.place(graph, cluster).makespan() + ROUNDING);
                } catch (InfeasibleException e) {
                    // Some find no room where others do.
                }
            }
        }
    }

    /** One block, then the same in windows: the values may differ, their makespan hardly does. */
    @Tag("long")
    @Test
    void windowsComeNearTheWholeProgram() throws InfeasibleException {
        double whole = 0;
        double windows = 0;
        for (long seed = 0; seed < 5; seed++) {
            OperatorGraph graph = Graphs.random(new Random(seed), 160, 12, 0);
            DeviceCluster cluster = Graphs.devices(200, 10_000);
            whole += favored(graph, cluster, 1000);
            windows += favored(graph, cluster, 1);
        }
        assertThat(windows).isEqualTo(whole, within(0.05 * whole));
    }

    /** Without any step, rivals share: all but one of an operator's edges are at 1. */
    @Test
    void aProgramWhoseStepsDoNotSufficeHasValuesAllTheSame() {
        for (long seed = 0; seed < 20; seed++) {
            OperatorGraph graph = Graphs.random(new Random(seed), 60, 12, 0);
            DeviceCluster cluster = Graphs.devices(4, 10_000);
            for (int exact : new int[] {1, 1000}) {
                double[] values = RelaxedSct.solve(graph, cluster, exact, 0);
                for (int id = 0; id < graph.size(); id++) {
                    rivalsShare(graph, graph.out(id), values);
                    rivalsShare(graph, graph.in(id), values);
                }
            }
        }
    }

    private static void rivalsShare(OperatorGraph graph, int[] edges, double[] values) {
        int count = 0;
        double sum = 0;
        for (int edge : edges) {
            if (graph.carried(edge).length > 0) {
                count++;
                sum += values[edge];
            }
        }
        assertThat(sum).isGreaterThanOrEqualTo(count - 1 - 1e-6);
    }

    private static double favored(OperatorGraph graph, DeviceCluster cluster, int exact)
            throws InfeasibleException {
        int[] favorites = MSct.favorites(graph, RelaxedSct.solve(graph, cluster, exact), 0.5);
        return ListScheduler.run(
                        graph,
                        cluster,
                        ListScheduler.Rules.earliest(graph, cluster, false)
                                .withFavorites(favorites))
                .makespan();
    }
}
