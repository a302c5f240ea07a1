package dev.levee.k8s.flink;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.OperatorMetrics;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads elastic jobs from Flink's REST interface. Flink shows some values only at times; the reader
 * remembers them, so always read a job with the same reader. Not thread-safe.
 */
public final class JobReader {
    /** Part of the name of the vertex that computes gradients. */
    private static final String WORKERS = "Workers";

    /** Part of the name of the vertex that coordinates rounds. */
    private static final String COORDINATOR = "Round coordinator";

    private final FlinkRest rest;
    private final Clock clock;
    private final Map<String, String> controls = new HashMap<>();
    private final Map<String, FlinkJob> latest = new HashMap<>();

    /** Creates a reader. */
    public JobReader(FlinkRest rest) {
        this(rest, Clock.systemUTC());
    }

    /** Creates a reader with a given clock for measurements. */
    JobReader(FlinkRest rest, Clock clock) {
        this.rest = rest;
        this.clock = clock;
    }

    /**
     * Reads the current state of a job. The observation's id is the job's id in Flink.
     *
     * @return empty if there is no such job, or it is not elastic
     * @throws IOException if Flink does not answer; the job may still exist
     * @throws IllegalArgumentException if the job's request is invalid; one sentence
     */
    public Optional<Observation> read(String job) throws IOException {
        return look(job).map(FlinkJob::observation);
    }

    /** The last observation of a job. */
    Optional<FlinkJob> last(String job) {
        return Optional.ofNullable(latest.get(job));
    }

    /**
     * Forgets all other jobs.
     *
     * @return false if the reader has seen none of {@code jobs}
     */
    public boolean keep(Set<String> jobs) {
        retain(jobs);
        return !latest.isEmpty();
    }

    /** True if a job in this Flink state has ended or is about to end. */
    static boolean isOver(String state) {
        return phase(state).ended();
    }

    /** Forgets all other jobs. */
    void retain(Set<String> jobs) {
        controls.keySet().retainAll(jobs);
        latest.keySet().retainAll(jobs);
    }

    /** Forgets a job. */
    void forget(String job) {
        controls.remove(job);
        latest.remove(job);
    }

    /** As {@link #read}, with the values that are needed to change the job. */
    Optional<FlinkJob> look(String job) throws IOException {
        Optional<JsonNode> found = rest.find("/jobs/" + job);
        if (found.isEmpty()) {
            forget(job);
            return Optional.empty();
        }
        JsonNode details = found.get();
        Optional<ElasticRequest> request = request(job, details.path("name").asText());
        if (request.isEmpty()) {
            return Optional.empty();
        }
        FlinkJob seen = look(job, details, request.get());
        latest.put(job, seen);
        return Optional.of(seen);
    }

    /** Reads the request at each observation, because it may change with an upgrade of the job. */
    private Optional<ElasticRequest> request(String job, String name) throws IOException {
        Map<String, String> configuration = configuration(job);
        String control = configuration.get(ElasticRequest.CONTROL);
        if (control != null) {
            controls.put(job, control);
        }
        Optional<ElasticRequest> found = ElasticRequest.inConfiguration(configuration);
        return found.isPresent() ? found : ElasticRequest.inName(name);
    }

    private Map<String, String> configuration(String job) throws IOException {
        Map<String, String> entries = new HashMap<>();
        rest.get("/jobs/" + job + "/config")
                .path("execution-config")
                .path("user-config")
                .properties()
                .forEach(entry -> entries.put(entry.getKey(), entry.getValue().asText()));
        return entries;
    }

    private FlinkJob look(String job, JsonNode details, ElasticRequest request) throws IOException {
        JobSpec spec = request.spec(job, Instant.ofEpochMilli(details.path("start-time").asLong()));
        Map<String, Integer> vertices = new LinkedHashMap<>();
        String tasks = request.tasks();
        String coordinator = null;
        String workers = null;
        int parallelism = 0;
        for (JsonNode vertex : details.path("vertices")) {
            String id = vertex.path("id").asText();
            int most = vertex.path("maxParallelism").asInt();
            vertices.put(id, most);
            if (most > 1) {
                parallelism = Math.max(parallelism, vertex.path("parallelism").asInt());
            }
            String name = vertex.path("name").asText();
            if (name.contains(tasks == null ? COORDINATOR : tasks)) {
                coordinator = id;
            }
            if (name.contains(tasks == null ? WORKERS : tasks)) {
                workers = id;
            }
        }
        String state = details.path("state").asText();
        JobPhase phase = phase(state);
        boolean shows = coordinator != null && state.equals("RUNNING");
        CoordinatorMetrics metrics =
                shows && tasks != null
                        ? TaskMetrics.read(rest, job, coordinator, tasks, parallelism)
                        : CoordinatorMetrics.of(
                                shows
                                        ? OperatorMetrics.read(
                                                rest,
                                                job,
                                                coordinator,
                                                CoordinatorMetrics.OPERATOR,
                                                CoordinatorMetrics.NAMES)
                                        : OperatorMetrics.none());
        FlinkJob before = latest.get(job);
        int nodes = workers != null && metrics.knowsBatch() ? hosts(job, workers) : 1;
        Progress made =
                metrics.knowsBatch() || before == null
                        ? metrics.progressMade(request.countsProgress())
                        : before.observation().progress();
        Observation seen = observation(spec, phase, parallelism, nodes, metrics, made, before);
        if (phase == JobPhase.WAITING && before != null && isBetweenExecutions(before)) {
            seen = inPlaceOf(before.observation());
        }
        return new FlinkJob(
                job,
                details.path("name").asText(),
                state,
                Optional.ofNullable(controls.get(job)),
                vertices,
                request.countsProgress(),
                metrics,
                seen);
    }

    /** Number of hosts on which the subtasks of a vertex run; 1 if Flink does not say. */
    private int hosts(String job, String vertex) throws IOException {
        Set<String> hosts = new HashSet<>();
        for (JsonNode subtask : rest.get("/jobs/" + job + "/vertices/" + vertex).path("subtasks")) {
            // host:port of the TaskManager
            hosts.add(subtask.path("endpoint").asText().replaceFirst(":\\d+$", ""));
        }
        return Math.max(1, hosts.size());
    }

    /**
     * True if a job without workers may only be restarting. Flink passes through the created state
     * at each restart, so a job counts as waiting only after two observations without workers.
     */
    private static boolean isBetweenExecutions(FlinkJob before) {
        return phase(before.state()) == JobPhase.RUNNING;
    }

    /** The phase for a Flink state. */
    private static JobPhase phase(String state) {
        return switch (state) {
            case "RUNNING", "RESTARTING" -> JobPhase.RUNNING;
            case "FINISHED", "CANCELED", "CANCELLING" -> JobPhase.FINISHED;
            case "FAILED", "FAILING" -> JobPhase.FAILED;
            default -> JobPhase.WAITING;
        };
    }

    private Observation observation(
            JobSpec spec,
            JobPhase phase,
            int parallelism,
            int nodes,
            CoordinatorMetrics metrics,
            Progress made,
            FlinkJob before) {
        int workers =
                phase == JobPhase.RUNNING
                        ? Math.max(
                                spec.bounds().minWorkers(),
                                Math.min(spec.bounds().maxWorkers(), parallelism))
                        : 0;
        int known = before == null ? spec.bounds().localBatch() : before.observation().localBatch();
        double lastPause = before == null ? Double.NaN : before.observation().lastPauseSeconds();
        return new Observation(
                spec,
                phase,
                workers,
                workers,
                metrics.knowsBatch() ? (int) metrics.batchSize() : known,
                metrics.measurement(clock.instant(), nodes, spec.batches()),
                (int) metrics.outOfMemoryBatch(),
                metrics.remainingSamples(),
                Double.isNaN(metrics.pauseSeconds()) ? lastPause : metrics.pauseSeconds(),
                made);
    }

    /**
     * The previous observation without its measurement and out-of-memory event, which are no longer
     * new.
     */
    static Observation inPlaceOf(Observation before) {
        return new Observation(
                before.spec(),
                before.phase(),
                before.workers(),
                before.healthyWorkers(),
                before.localBatch(),
                Optional.empty(),
                0,
                before.remainingSamples(),
                before.lastPauseSeconds(),
                before.progress());
    }
}
