package dev.levee.operators.flink.internal.runtime.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;

class CoordinatorMetricsTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    /** Remembers gauges by the names of their groups and their own. */
    private static final class Gauges extends UnregisteredMetricsGroup {
        private final Map<String, Gauge<?>> all;
        private final String prefix;

        private Gauges() {
            this(new TreeMap<>(), "");
        }

        private Gauges(Map<String, Gauge<?>> all, String prefix) {
            this.all = all;
            this.prefix = prefix;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            all.put(prefix + name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup addGroup(String key, String value) {
            return new Gauges(all, prefix + key + "." + value + ".");
        }

        private Object read(String name) {
            return all.get(name).getValue();
        }

        private void readAll() {
            all.values().forEach(Gauge::getValue);
        }
    }

    private static final class Silent implements RoundOutput {
        @Override
        public void instruct(Instruction instruction) {}

        @Override
        public void finished(RoundReport report) {}
    }

    private final Gauges gauges = new Gauges();
    private Coordinator coordinator;

    private CoordinatorMetrics metrics(int workers, int mostWorkers) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Training training =
                new TrainingBuilder(
                                "testrun1",
                                DATA,
                                Models.open("logistic", data.shape(), data.classes()),
                                Rules.parse("average"),
                                workers,
                                0)
                        .build();
        Slices slices = Slices.of(training.model().layout());
        coordinator =
                new Coordinator(
                        training,
                        Header.run(training.runId()),
                        slices,
                        0,
                        CoordinatorState.initial(training, slices, 0),
                        false,
                        new Silent(),
                        new Coordinator.Clocks(() -> 0, () -> 0));
        return new CoordinatorMetrics(gauges, coordinator, training, mostWorkers);
    }

    private static long allocatedBy(Runnable action) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        action.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void lookingAtTwiceTheWorkersCostsTwiceAsMuch() {
        metrics(200, 200);
        gauges.readAll();
        // A boxed number for each of 200 · 17 gauges; one copy of all counts takes as much.
        assertThat(gauges.all).hasSizeGreaterThan(200 * Rejection.values().length);
        assertThat(allocatedBy(gauges::readAll)).isLessThan(1 << 20);
    }

    @Test
    void readersSeeWhatWasPublishedAndNotTheCoordinatorAtWork() {
        CoordinatorMetrics metrics = metrics(3, 200);
        String rejected = "worker.1.reason.non_finite.rejected";
        assertThat(gauges.read(rejected)).isEqualTo(0L);

        coordinator.report(new ShardReport.Refused(0, 1, Rejection.NON_FINITE, 4));
        assertThat(gauges.read(rejected)).isEqualTo(0L);
        metrics.reported();
        assertThat(gauges.read(rejected)).isEqualTo(4L);
    }

    @Test
    void aRoundThatIsOverIsPublishedThoughNobodyHasLooked() {
        CoordinatorMetrics metrics = metrics(3, 200);
        coordinator.report(new ShardReport.Refused(0, 2, Rejection.LATE, 1));
        metrics.reported();
        metrics.finished(
                new RoundReportBuilder(6)
                        .decidedAt(5)
                        .seconds(0.1)
                        .batch(10)
                        .rows(new int[3])
                        .selected(new int[3])
                        .build());
        assertThat(gauges.read("round")).isEqualTo(7L);
        assertThat(gauges.read("worker.2.reason.late.rejected")).isEqualTo(1L);
    }

    @Test
    void ofMoreWorkersThanAskedForThereAreNoMetricsOfEach() {
        metrics(201, 200);
        assertThat(gauges.all.keySet()).noneMatch(name -> name.startsWith("worker."));
        assertThat(gauges.all).containsKeys("round", "answered", "loss");
    }
}
