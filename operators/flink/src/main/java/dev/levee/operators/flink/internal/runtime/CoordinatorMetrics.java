package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.rounds.Coordinator;
import dev.levee.operators.rounds.Performance;
import dev.levee.operators.rounds.Phase;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.Training;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

import java.util.Locale;

/**
 * What the coordinator shows in the web UI and to Prometheus: the round, its loss, its latency as a
 * whole and by phase, and how each worker fares.
 */
final class CoordinatorMetrics {
    private static final int WINDOW = 256;
    private static final double SMOOTHING = 0.05;

    private final Coordinator coordinator;
    private final Histogram latency;
    private final Histogram[] phases = new Histogram[Phase.values().length];
    private volatile long rounds;
    private volatile long decidedAt;
    private volatile double loss = Double.NaN;
    private volatile double secondsPerRound = Double.NaN;
    private volatile Performance now;

    CoordinatorMetrics(MetricGroup group, Coordinator coordinator, Training training) {
        this.coordinator = coordinator;
        now = coordinator.performance();
        rounds = coordinator.round();
        group.gauge("round", (Gauge<Long>) () -> rounds);
        // Flink goes on showing what a subtask said that had the coordinator before: the newest
        // counts.
        group.gauge("decidedAt", (Gauge<Long>) () -> decidedAt);
        group.gauge("rounds", (Gauge<Long>) training::rounds);
        group.gauge("answered", (Gauge<Integer>) coordinator::answered);
        group.gauge("quorum", (Gauge<Integer>) () -> now.settings().quorum());
        group.gauge("loss", (Gauge<Double>) () -> loss);
        group.gauge("roundsPerSecond", (Gauge<Double>) () -> 1 / secondsPerRound);
        progress(group, training);
        performance(group);
        latency = group.histogram("roundMicroseconds", new DescriptiveStatisticsHistogram(WINDOW));
        for (Phase phase : Phase.values()) {
            phases[phase.ordinal()] =
                    group.histogram(
                            phase.name().toLowerCase(Locale.ROOT) + "Microseconds",
                            new DescriptiveStatisticsHistogram(WINDOW));
        }
        for (int worker = 0; worker < training.mostWorkers(); worker++) {
            int id = worker;
            MetricGroup own = group.addGroup("worker", Integer.toString(worker));
            own.gauge("accepted", (Gauge<Long>) () -> coordinator.counts().get(id).accepted());
            own.gauge("selected", (Gauge<Long>) () -> coordinator.counts().get(id).selected());
            for (Rejection reason : Rejection.values()) {
                own.addGroup("reason", reason.name().toLowerCase(Locale.ROOT))
                        .gauge(
                                "rejected",
                                (Gauge<Long>)
                                        () ->
                                                coordinator
                                                        .counts()
                                                        .get(id)
                                                        .rejected()[reason.ordinal()]);
            }
        }
    }

    private void progress(MetricGroup group, Training training) {
        long total = training.rounds() * training.workers() * training.batchSize();
        group.gauge("samples", (Gauge<Long>) () -> now.settings().samples());
        group.gauge("samplesTotal", (Gauge<Long>) () -> total);
        group.gauge("activeWorkers", (Gauge<Integer>) () -> now.settings().workers());
        group.gauge("batchSize", (Gauge<Integer>) () -> now.settings().batchSize());
        group.gauge("learningRate", (Gauge<Double>) () -> now.settings().learningRate());
        group.gauge("learningRateScale", (Gauge<Double>) () -> now.learningRateScale());
    }

    private void performance(MetricGroup group) {
        group.gauge("samplesPerSecond", (Gauge<Double>) () -> now.samplesPerSecond());
        group.gauge("computeUtilisation", (Gauge<Double>) () -> now.computeUtilisation());
        group.gauge("memoryUtilisation", (Gauge<Double>) () -> now.memoryUtilisation());
        group.gauge("outOfMemoryBatch", (Gauge<Integer>) () -> now.failedBatch());
        group.gauge("pauseSeconds", (Gauge<Double>) () -> now.pauseSeconds());
        group.gauge("controlTimestamp", (Gauge<Long>) () -> now.controlTimestamp());
    }

    void finished(RoundReport report) {
        now = coordinator.performance();
        rounds = report.round() + 1;
        decidedAt = report.decidedAt();
        loss = report.loss();
        double seconds = report.seconds();
        secondsPerRound =
                Double.isNaN(secondsPerRound)
                        ? seconds
                        : secondsPerRound + SMOOTHING * (seconds - secondsPerRound);
        latency.update((long) (seconds * 1e6));
        for (int phase = 0; phase < phases.length; phase++) {
            phases[phase].update((long) (report.secondsByPhase()[phase] * 1e6));
        }
    }
}
