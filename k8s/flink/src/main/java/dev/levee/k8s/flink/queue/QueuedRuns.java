package dev.levee.k8s.flink.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A session cluster with a queue. A queued run is a job like any other: it starts when it gets
 * workers, and is stopped with a savepoint when it gets none.
 *
 * <p>Each step is recorded before it is taken, or can be detected afterward. An allocator that is
 * killed at any point neither loses a run nor starts it twice: a job's id follows from the run and
 * from the number of its jobs that are over, and a run that is pausing continues only when its job
 * is over. Not thread-safe.
 */
public final class QueuedRuns implements Cluster {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Digits of a job's id in Flink's names of its savepoints. */
    private static final int SAVEPOINT_DIGITS = 6;

    private final RunQueue queue;
    private final Cluster cluster;
    private final FlinkRest rest;
    private final RunLauncher launcher;
    private final Consumer<String> news;

    /** The reported failures of runs, by id. */
    private final Map<String, String> failures = new HashMap<>();

    private final LineObservations latest = new LineObservations();

    /**
     * Combines a queue with its cluster.
     *
     * @param service the right to serve the queue
     * @param cluster observes and changes running jobs
     * @param rest the REST interface of the same cluster
     * @param news receives a sentence for each event of a run that is not a decision
     */
    public QueuedRuns(
            RunQueue.Service service,
            Cluster cluster,
            FlinkRest rest,
            RunLauncher launcher,
            Consumer<String> news) {
        this.queue = service.queue();
        this.cluster = cluster;
        this.rest = rest;
        this.launcher = launcher;
        this.news = news;
    }

    @Override
    public ClusterObservation observe() throws IOException {
        List<RunQueue.Entry> runs = new ArrayList<>();
        List<String> ids = queue.ids();
        failures.keySet().retainAll(ids);
        for (String id : ids) {
            update(id).ifPresent(runs::add);
        }
        return latest.of(runs, cluster.observe());
    }

    /**
     * Reads and updates a run. If that fails for this run only, the run stays as it is.
     *
     * @return the run; empty if it does not take part, or cannot be read
     * @throws IOException if the cluster does not answer
     */
    private Optional<RunQueue.Entry> update(String id) throws IOException {
        Optional<RunQueue.Entry> read = Optional.empty();
        try {
            read = queue.find(id);
            Optional<RunQueue.Entry> now = read.isEmpty() ? read : settle(read.get());
            failures.remove(id);
            return now;
        } catch (IOException | IllegalArgumentException e) {
            rest.get("/overview");
            String why = String.valueOf(e.getMessage());
            if (!why.equals(failures.put(id, why))) {
                news.accept("job " + id + " stays as it is: " + why);
            }
            return read;
        }
    }

    /**
     * Updates a run's recorded state to what has happened since.
     *
     * @return the run in its current state; empty if it no longer takes part
     */
    private Optional<RunQueue.Entry> settle(RunQueue.Entry entry) throws IOException {
        return switch (entry.state().phase()) {
            case WAITING -> settleWaiting(entry);
            case STARTING -> settleStarting(entry);
            case RUNNING -> settleRunning(entry);
            case PAUSING -> settlePausing(entry);
            case ENDED -> Optional.empty();
        };
    }

    /**
     * Updates a run without a job. Earlier builds did not record that they were submitting a job,
     * so one may exist if such an allocator was killed.
     */
    private Optional<RunQueue.Entry> settleWaiting(RunQueue.Entry entry) throws IOException {
        if (flink(entry.job()).isPresent()) {
            return settleRunning(save(entry, entry.state().running()));
        }
        return entry.cancelled() ? end(entry, "was canceled") : Optional.of(entry);
    }

    /**
     * Updates a run whose start is not known to have succeeded. An allocator that was killed may
     * have submitted the job, and the job may even have ended and been forgotten by Flink.
     */
    private Optional<RunQueue.Entry> settleStarting(RunQueue.Entry entry) throws IOException {
        return flink(entry.job()).isPresent()
                ? settleRunning(save(entry, entry.state().running()))
                : lost(entry);
    }

    private Optional<RunQueue.Entry> settleRunning(RunQueue.Entry entry) throws IOException {
        String job = entry.job();
        boolean cancelled = entry.cancelled();
        Optional<String> state = flink(job);
        if (state.isEmpty()) {
            return lost(entry);
        }
        switch (state.get()) {
            case "FINISHED":
                return launcher.finished(entry.run().output())
                        ? finish(entry)
                        : end(entry, "was stopped by someone else and has left no results");
            case "CANCELED":
                return end(entry, "was canceled");
            case "FAILED":
                return end(entry, "has failed; levee attach and Flink's web UI show the reason");
            default:
                if (cancelled) {
                    rest.patch("/jobs/" + job);
                }
                return Optional.of(entry);
        }
    }

    private Optional<RunQueue.Entry> settlePausing(RunQueue.Entry entry) throws IOException {
        String job = entry.job();
        String id = entry.run().id();
        Optional<String> state = flink(job);
        if (state.isEmpty()) {
            return lost(entry);
        }
        if (state.get().equals("FINISHED")) {
            if (launcher.finished(entry.run().output())) {
                return finish(entry);
            }
            Optional<String> savepoint = newest(entry);
            if (savepoint.isEmpty()) {
                return end(entry, "was stopped, and its savepoint is missing");
            }
            return settleWaiting(paused(entry, savepoint.get()));
        }
        if (entry.cancelled() || state.get().equals("CANCELED") || state.get().equals("FAILED")) {
            return settleRunning(entry);
        }
        Optional<String> failure = failure(entry);
        if (failure.isPresent()) {
            news.accept("job " + id + " could not be paused: " + failure.get());
            return settleRunning(save(entry, entry.state().running()));
        }
        return Optional.of(entry);
    }

    /** The reason why a job could not be stopped; empty while stopping may still succeed. */
    private Optional<String> failure(RunQueue.Entry entry) throws IOException {
        Optional<JsonNode> stop =
                rest.find("/jobs/" + entry.job() + "/savepoints/" + entry.state().trigger());
        if (stop.isEmpty()) {
            return Optional.of("Flink knows of no request");
        }
        JsonNode failure = stop.get().path("operation").path("failure-cause");
        return failure.isMissingNode()
                ? Optional.empty()
                : Optional.of(failure.path("class").asText("no savepoint"));
    }

    /**
     * Updates a run whose job the cluster no longer knows. Either the job had ended, or the cluster
     * was restarted; the run then continues from its newest savepoint or checkpoint.
     */
    private Optional<RunQueue.Entry> lost(RunQueue.Entry entry) throws IOException {
        if (entry.cancelled()) {
            return end(entry, "was canceled");
        }
        if (launcher.finished(entry.run().output())) {
            return finish(entry);
        }
        Optional<String> newest = newest(entry);
        if (entry.state().phase() == Phase.STARTING && newest.isEmpty()) {
            // The submission may still arrive, and Flink runs only one job of an id.
            return Optional.of(save(entry, entry.state().notStarted()));
        }
        String from = newest.orElse(entry.state().restore());
        if (entry.state().phase() == Phase.RUNNING) {
            news.accept(
                    "job %s is no longer on its cluster; it continues from %s"
                            .formatted(entry.run().id(), from == null ? "its beginning" : from));
        }
        return Optional.of(
                newest.isPresent() ? paused(entry, from) : save(entry, entry.state().paused(from)));
    }

    /** The newest savepoint or checkpoint that a run's current job has written. */
    private Optional<String> newest(RunQueue.Entry entry) throws IOException {
        int generation = entry.state().generation();
        Optional<String> own = launcher.newest(entry.run().folder(generation));
        if (own.isPresent() || entry.state().phase() != Phase.PAUSING) {
            return own;
        }
        // Earlier builds paused runs into a folder that other runs may share.
        String savepoint = "/savepoint-" + entry.job().substring(0, SAVEPOINT_DIGITS) + "-";
        return launcher.newest(entry.run().checkpoints() + "/pause-" + generation)
                .filter(each -> each.contains(savepoint));
    }

    /** Records that a job has left a savepoint or checkpoint, which replaces all earlier ones. */
    private RunQueue.Entry paused(RunQueue.Entry entry, String from) throws IOException {
        RunQueue.Entry now = save(entry, entry.state().paused(from));
        try {
            deleteBefore(entry.run(), entry.state().generation());
        } catch (IOException e) {
            // They stay until the next pause, or the end of the run.
        }
        return now;
    }

    private void deleteBefore(QueuedRun run, int generation) throws IOException {
        for (int i = 0; i < generation; i++) {
            launcher.delete(run.folder(i));
        }
    }

    private Optional<RunQueue.Entry> finish(RunQueue.Entry entry) throws IOException {
        deleteBefore(entry.run(), entry.state().generation() + 1);
        queue.remove(entry.run().id());
        return Optional.empty();
    }

    private Optional<RunQueue.Entry> end(RunQueue.Entry entry, String why) throws IOException {
        save(entry, entry.state().ended(why));
        news.accept("job " + entry.run().id() + " " + why);
        return Optional.empty();
    }

    private RunQueue.Entry save(RunQueue.Entry entry, QueueState state) throws IOException {
        queue.save(entry.run().id(), state);
        return new RunQueue.Entry(entry.folder(), entry.run(), state);
    }

    /** The state of a job in Flink's terms; empty if Flink does not know the job. */
    private Optional<String> flink(String job) throws IOException {
        return rest.find("/jobs/" + job).map(each -> each.path("state").asText());
    }

    @Override
    public void act(Decision decision) throws IOException {
        Optional<RunQueue.Entry> found = queue.find(decision.job());
        if (found.isEmpty()) {
            cluster.act(decision);
            return;
        }
        RunQueue.Entry entry = found.get();
        if (!decision.why().equals(entry.state().why())) {
            entry = save(entry, entry.state().because(decision.why()));
        }
        Observation seen = latest.last(decision.job());
        boolean runs = seen != null && seen.phase() == JobPhase.RUNNING;
        switch (entry.state().phase()) {
            case WAITING -> start(entry, decision);
            case RUNNING -> {
                if (decision.workers() == 0 && runs) {
                    pause(entry, seen);
                } else {
                    cluster.act(renamed(decision, entry.job()));
                }
            }
            default -> {} // the next observation shows its state
        }
    }

    @Override
    public void acted() {
        cluster.acted();
    }

    private void start(RunQueue.Entry entry, Decision decision) throws IOException {
        if (decision.workers() == 0 || entry.cancelled()) {
            return;
        }
        save(entry, entry.state().starting());
        QueueState state = entry.state();
        boolean started =
                launcher.start(
                        entry.folder(),
                        entry.job(),
                        state.restore(),
                        entry.run().spec().bounds().minWorkers(),
                        decision.workers());
        save(entry, started ? state.running() : state.paused(state.restore()));
    }

    private void pause(RunQueue.Entry entry, Observation seen) throws IOException {
        String request = QueuedRun.newId();
        RunQueue.Entry pausing = save(entry, entry.state().pausing(request, seen));
        rest.send(
                "POST",
                "/jobs/" + entry.job() + "/stop",
                JSON.createObjectNode()
                        .put("targetDirectory", entry.run().folder(entry.state().generation()))
                        .put("drain", false)
                        .put("triggerId", request)
                        .toString());
        // The run that gets the slots is handled next.
        Await.until(
                PATIENCE,
                () -> {
                    Optional<String> state = flink(pausing.job());
                    return state.isEmpty()
                            || !state.get().equals("RUNNING")
                            || failure(pausing).isPresent();
                });
        settle(pausing);
    }

    private static Decision renamed(Decision decision, String job) {
        return new Decision(
                job,
                decision.workers(),
                decision.localBatch(),
                decision.learningRate(),
                decision.why(),
                decision.slowest(),
                decision.moves());
    }
}
