package dev.levee.operators.flink.internal.runtime.coordinator;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The coordinator's metrics for the web UI and Prometheus: the round, its loss, its total latency
 * and its latency by phase, and counts of each worker. Threads of reporters see only values that
 * the task's thread has published.
 */
public final class CoordinatorMetrics {
    /** Maximum number of workers with metrics of their own. */
    public static final ConfigOption<Integer> MOST_WORKERS =
            ConfigOptions.key("levee.metrics.most-workers")
                    .intType()
                    .defaultValue(200)
                    .withDescription(
                            "Jobs of more workers have no metrics of each worker, which are 2 and"
                                    + " one for each reason to refuse a gradient.");

    private static final int WINDOW = 256;
    private static final double SMOOTHING = 0.05;

    /**
     * Numbers of the run at one moment; immutable.
     *
     * @param rounds number of finished rounds
     * @param workers counts by id, empty if workers have no metrics of their own
     */
    private record Shown(long rounds, Performance performance, List<WorkerCounts> workers) {}

    private final MetricGroup group;
    private final Coordinator coordinator;
    private final boolean showsWorkers;
    private Supplier<TransferCounts> transfers = () -> TransferCounts.NONE;
    private final Histogram latency;
    private final Histogram[] phases = new Histogram[RoundPhase.values().length];
    private volatile Shown shown;
    private volatile int answered;
    private volatile TransferCounts transferred = TransferCounts.NONE;
    private volatile long decidedAt;
    private volatile double loss = Double.NaN;
    private volatile double secondsPerRound = Double.NaN;

    /** The last round in which workers began to read this replica, −1 for none. */
    private volatile long primarySince = -1;

    /** True if the workers' metrics were read since they were published. */
    private volatile boolean looked;

    /**
     * Creates the metrics of a coordinator.
     *
     * @param mostWorkers largest number of workers that have metrics of their own
     */
    public CoordinatorMetrics(
            MetricGroup group, Coordinator coordinator, Training training, int mostWorkers) {
        this.group = group;
        this.coordinator = coordinator;
        this.showsWorkers = training.plan().participants(training) <= mostWorkers;
        publish(coordinator.moment().iteration());
        answered = coordinator.answered();
        group.gauge("round", (Gauge<Long>) () -> shown.rounds());
        // Flink still shows metrics of the coordinator's former subtask; the newest value applies.
        group.gauge("decidedAt", (Gauge<Long>) () -> decidedAt);
        group.gauge("rounds", (Gauge<Long>) training::rounds);
        group.gauge("answered", (Gauge<Integer>) () -> answered);
        group.gauge("quorum", (Gauge<Integer>) () -> settings().quorum());
        group.gauge("loss", (Gauge<Double>) () -> loss);
        group.gauge("roundsPerSecond", (Gauge<Double>) () -> 1 / secondsPerRound);
        if (training.topology().failover() != null) {
            group.gauge("primarySince", (Gauge<Long>) () -> primarySince);
        }
        progress(group, training);
        performance(group);
        latency = group.histogram("roundMicroseconds", new DescriptiveStatisticsHistogram(WINDOW));
        for (RoundPhase phase : RoundPhase.values()) {
            phases[phase.ordinal()] =
                    group.histogram(
                            phase.name().toLowerCase(Locale.ROOT) + "Microseconds",
                            new DescriptiveStatisticsHistogram(WINDOW));
        }
        if (showsWorkers) {
            for (int worker = 0; worker < training.plan().participants(training); worker++) {
                worker(group.addGroup("worker", Integer.toString(worker)), worker);
            }
        }
    }

    /**
     * Adds metrics of announced contributions.
     *
     * @param counts called on the task's thread
     */
    public void transfers(Supplier<TransferCounts> counts) {
        transfers = counts;
        transferred = counts.get();
        group.gauge("transfersAnnounced", (Gauge<Long>) () -> transferred.announced());
        group.gauge("transfersDeferred", (Gauge<Long>) () -> transferred.deferred());
        group.gauge("transfersDropped", (Gauge<Long>) () -> transferred.dropped());
    }

    private void worker(MetricGroup group, int worker) {
        group.gauge("accepted", (Gauge<Long>) () -> counts(worker).accepted());
        group.gauge("selected", (Gauge<Long>) () -> counts(worker).selected());
        for (Rejection reason : Rejection.values()) {
            group.addGroup("reason", reason.name().toLowerCase(Locale.ROOT))
                    .gauge(
                            "rejected",
                            (Gauge<Long>) () -> counts(worker).rejected()[reason.ordinal()]);
        }
    }

    private void progress(MetricGroup group, Training training) {
        group.gauge("samples", (Gauge<Long>) () -> settings().samples());
        group.gauge("samplesTotal", (Gauge<Long>) () -> samplesTotal(training));
        boolean local = training.topology().local(); // each node has the gradient of one worker
        group.gauge(
                "activeWorkers",
                (Gauge<Integer>) () -> local ? training.workers() : settings().workers());
        group.gauge("stopped", (Gauge<Integer>) () -> settings().stop() ? 1 : 0);
        group.gauge("batchSize", (Gauge<Integer>) () -> settings().batchSize());
        group.gauge("learningRate", (Gauge<Double>) () -> settings().learningRate());
        group.gauge("learningRateScale", (Gauge<Double>) () -> now().learningRateScale());
    }

    /**
     * Samples of the whole run: the goal, if progress is counted in samples; otherwise the samples
     * drawn so far and those of the remaining rounds at the usual size.
     */
    private long samplesTotal(Training training) {
        long usual = (long) training.plan().perRound(training) * training.data().batchSize();
        Shown now = shown;
        return training.plan().oneOrder()
                ? training.rounds() * usual
                : now.performance().settings().samples()
                        + (training.rounds() - now.rounds()) * usual;
    }

    private void performance(MetricGroup group) {
        group.gauge("samplesPerSecond", (Gauge<Double>) () -> now().samplesPerSecond());
        group.gauge("computeUtilisation", (Gauge<Double>) () -> now().computeUtilisation());
        group.gauge("memoryUtilisation", (Gauge<Double>) () -> now().memoryUtilisation());
        group.gauge("outOfMemoryBatch", (Gauge<Integer>) () -> now().failedBatch());
        group.gauge("pauseSeconds", (Gauge<Double>) () -> now().pauseSeconds());
        group.gauge("controlTimestamp", (Gauge<Long>) () -> now().controlTimestamp());
        group.gauge("progress", (Gauge<Double>) () -> now().progress().rounds());
        group.gauge("gain", (Gauge<Double>) () -> now().progress().gain());
        group.gauge("noiseScale", (Gauge<Double>) () -> now().progress().noiseScale());
        group.gauge("averagedRows", (Gauge<Double>) () -> now().progress().averagedRows());
    }

    private Performance now() {
        return shown.performance();
    }

    private Settings settings() {
        return now().settings();
    }

    private WorkerCounts counts(int worker) {
        looked = true;
        return shown.workers().get(worker);
    }

    /**
     * Called when the coordinator has handled a report; this and the following methods run on its
     * thread.
     */
    public void reported() {
        answered = coordinator.answered();
        transferred = transfers.get();
        // Records refused while a round waits show, too, once per read of the metrics.
        if (looked) {
            publish(shown.rounds());
        }
    }

    /** Records that workers have begun to read this replica. */
    public void takenOver(Takeover takeover) {
        primarySince = takeover.round();
    }

    /** Records a finished round. */
    public void finished(RoundReport report) {
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
        publish(report.round() + 1);
    }

    private void publish(long rounds) {
        looked = false;
        shown =
                new Shown(
                        rounds,
                        coordinator.performance(),
                        showsWorkers ? coordinator.counts() : List.of());
    }
}
