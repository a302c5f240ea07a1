package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Observes and scales the elastic jobs of a Flink session cluster with the adaptive scheduler. It
 * sets workers through a job's resource requirements, and batch and learning rate through its
 * control file. Not thread-safe.
 */
public final class FlinkSessionCluster implements Cluster {
    /**
     * Relative difference below which learning rates count as equal, because they may be computed
     * in another order.
     */
    private static final double SAME_RATE = 1e-9;

    private final FlinkRest rest;
    private final ControlWriter controls;
    private final Clock clock;
    private final Consumer<String> warnings;
    private final JobReader reader;
    private final RescaleTrigger rescales;
    private final Set<String> refused = new HashSet<>();
    private final Map<String, Long> written = new HashMap<>();
    private final Set<String> unresponsive = new HashSet<>();

    /**
     * Connects to a cluster by its REST interface.
     *
     * @param controls writes control files
     * @param clock the time of measurements and controls
     * @param warnings receives a sentence for each job that has an invalid request or does not
     *     follow its control file
     */
    public FlinkSessionCluster(
            FlinkRest rest, ControlWriter controls, Clock clock, Consumer<String> warnings) {
        this.rest = rest;
        this.controls = controls;
        this.clock = clock;
        this.warnings = warnings;
        this.reader = new JobReader(rest, clock);
        this.rescales = new RescaleTrigger(rest);
    }

    /**
     * Checks that the cluster can scale jobs.
     *
     * @throws IOException if the cluster does not answer
     * @throws IllegalStateException if it runs another scheduler; one sentence
     */
    public void check() throws IOException {
        String scheduler = "default";
        for (JsonNode entry : rest.get("/jobmanager/config")) {
            if (entry.path("key").asText().equals("jobmanager.scheduler")) {
                scheduler = entry.path("value").asText();
            }
        }
        if (!scheduler.equalsIgnoreCase("adaptive")) {
            throw new IllegalStateException(
                    "the Flink cluster at %s must run with jobmanager.scheduler: adaptive, which can rescale jobs, got %s"
                            .formatted(rest.address(), scheduler));
        }
    }

    @Override
    public ClusterObservation observe() throws IOException {
        List<Observation> jobs = new ArrayList<>();
        Set<String> elastic = new HashSet<>();
        boolean others = false;
        for (JsonNode listed : rest.get("/jobs/overview").path("jobs")) {
            String id = listed.path("jid").asText();
            boolean over = JobReader.isOver(listed.path("state").asText());
            if (over && reader.last(id).isEmpty()) {
                continue; // it ended before it was observed
            }
            Optional<Observation> seen = look(id);
            if (seen.isPresent()) {
                jobs.add(seen.get());
                elastic.add(id);
            } else {
                others |= !over;
            }
            if (over) {
                reader.forget(id);
            }
        }
        reader.retain(elastic);
        written.keySet().retainAll(elastic);
        unresponsive.retainAll(elastic);
        return new ClusterObservation(
                others ? TaskSlots.beside(rest, elastic) : TaskSlots.all(rest), jobs);
    }

    /** Observes a job. If Flink does not answer, returns the last observation. */
    private Optional<Observation> look(String job) throws IOException {
        Optional<FlinkJob> before = reader.last(job);
        try {
            return reader.read(job);
        } catch (IllegalArgumentException e) {
            if (refused.add(job)) {
                warnings.accept("job " + job + " is left alone: " + e.getMessage());
            }
            return Optional.empty();
        } catch (IOException e) {
            if (before.isEmpty()) {
                throw e;
            }
            return before.map(seen -> JobReader.inPlaceOf(seen.observation()));
        }
    }

    @Override
    public void act(Decision decision) throws IOException {
        Optional<FlinkJob> known = reader.last(decision.job());
        if (known.isEmpty()) {
            return; // it has ended
        }
        FlinkJob job = known.get();
        JobSpec spec = job.observation().spec();
        int workers = Math.max(spec.bounds().minWorkers(), decision.workers());
        ResourceRequirements requirements = new ResourceRequirements(rest, job);
        if (workers == job.observation().workers()) {
            requirements.bound(spec.bounds().minWorkers(), workers); // there is nothing to rescale
        } else {
            rescales.change(
                    job.id(), () -> requirements.bound(spec.bounds().minWorkers(), workers));
        }
        boolean running = job.observation().phase() == JobPhase.RUNNING;
        if (decision.workers() > 0) {
            control(job, decision);
        } else if (running) {
            throw new IOException(
                    "Flink cannot pause a running job: it keeps its minimum of %d workers"
                            .formatted(spec.bounds().minWorkers()));
        }
    }

    @Override
    public void acted() {
        rescales.await();
    }

    /**
     * Writes the control file if the job's settings differ from the decision. The settings are
     * unknown until the job runs.
     */
    private void control(FlinkJob job, Decision decision) throws IOException {
        CoordinatorMetrics now = job.metrics();
        if (job.control().isEmpty() || !now.knowsBatch() || agrees(now, decision, job)) {
            return;
        }
        String file = job.control().get();
        boolean unread = now.controlTimestamp() < written.getOrDefault(job.id(), 0L);
        if (unread && unresponsive.add(job.id())) {
            warnings.accept(
                    "job %s does not follow its control file %s, which must be on a file system that the job and the allocator both reach"
                            .formatted(job.id(), file));
        }
        BatchControl control =
                BatchControl.of(
                        decision,
                        job.observation().fittingBatch(),
                        (long) now.controlTimestamp(),
                        clock);
        controls.write(file, control.json());
        written.put(job.id(), control.timestamp());
    }

    /**
     * True if the job runs as decided. Learning rates are compared per sample, because the job
     * scales its rate with its workers itself.
     */
    private static boolean agrees(CoordinatorMetrics now, Decision decision, FlinkJob job) {
        double rate = now.learningRateScale() * job.observation().spec().bounds().learningRate();
        double perSample = rate / (now.activeWorkers() * now.batchSize());
        double decided =
                decision.learningRate() / ((double) decision.workers() * decision.localBatch());
        return decision.localBatch() == (int) now.batchSize()
                && (job.setsRate() || Math.abs(perSample - decided) <= SAME_RATE * decided);
    }
}
