package dev.levee.k8s.flink.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.RecordedFlink;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A queue on a recorded cluster, whose allocator may be killed between any two steps. */
abstract class QueueFixture {
    static final String ID = "0123456789abcdef0123456789abcdef";
    static final String OUTPUT = "file:/out";
    static final String CHECKPOINTS = "file:/out/checkpoints/average";
    static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 4, 2, 16, 512, 0.1), true, 0);

    @TempDir Path directory;

    final Engine engine = new Engine();
    final List<String> news = new ArrayList<>();
    final Map<String, Observation> seen = new HashMap<>();
    final List<Decision> passedOn = new ArrayList<>();
    RecordedFlink flink;
    RunQueue queue;
    RunQueue.Service service;
    QueuedRuns runs;

    /** Submits to the recorded cluster; can be killed right after that. */
    final class Engine implements RunLauncher {
        final List<String> started = new ArrayList<>();
        final Map<String, String> newest = new HashMap<>();
        final Set<String> finished = new HashSet<>();
        final Set<String> refused = new HashSet<>();
        final List<String> deleted = new ArrayList<>();
        boolean killed;
        boolean unreachable;
        boolean undeletable;
        boolean damaged;

        @Override
        public boolean start(Path folder, String job, String restore, int least, int workers) {
            if (refused.contains(job)) {
                return false;
            }
            started.add("%s from %s with %d to %d".formatted(job, restore, least, workers));
            state(job, "RUNNING");
            if (killed) {
                throw new IllegalStateException("killed");
            }
            return true;
        }

        @Override
        public Optional<String> newest(String folder) throws IOException {
            if (unreachable) {
                throw new IOException("no storage answers");
            }
            return Optional.ofNullable(newest.get(folder));
        }

        @Override
        public boolean finished(String output) {
            if (damaged) {
                throw new IllegalArgumentException("the summary is damaged");
            }
            return finished.contains(output);
        }

        @Override
        public void delete(String folder) throws IOException {
            if (undeletable) {
                throw new IOException("not yours");
            }
            deleted.add(folder);
            newest.remove(folder);
        }
    }

    @BeforeEach
    void start() throws IOException {
        flink = new RecordedFlink();
        queue = RunQueue.in(directory.resolve("queue"));
        service = queue.serve(flink.address().toString());
        restart();
    }

    @AfterEach
    void stop() throws IOException {
        flink.close();
        service.close();
    }

    /** An allocator that knows only what is on disk and on the cluster. */
    void restart() {
        runs =
                new QueuedRuns(
                        service, new Jobs(), new FlinkRest(flink.address()), engine, news::add);
    }

    /** A view of the same queue and cluster. */
    WatchedRuns watched() {
        return new WatchedRuns(queue, new Jobs(), news::add);
    }

    private final class Jobs implements Cluster {
        @Override
        public ClusterObservation observe() {
            return new ClusterObservation(4, List.copyOf(seen.values()));
        }

        @Override
        public void act(Decision decision) {
            passedOn.add(decision);
        }
    }

    void queued() throws IOException {
        queue.prepare(ID);
        queue.add(
                new QueuedRun(
                        ID,
                        "2026-01-01T00:00:00Z",
                        "a run",
                        OUTPUT,
                        CHECKPOINTS,
                        REQUEST.configuration()));
    }

    void state(String job, String state) {
        flink.answer("/jobs/" + job, "{\"state\":\"" + state + "\"}");
        seen.put(
                job,
                new Observation(
                        REQUEST.spec(job, Instant.EPOCH),
                        state.equals("RUNNING") ? JobPhase.RUNNING : JobPhase.FINISHED,
                        2,
                        2,
                        24,
                        Optional.empty(),
                        0,
                        Double.NaN,
                        Double.NaN,
                        new Progress(100, 50, 300)));
    }

    static Decision give(int workers) {
        return new Decision(ID, workers, 16, 0.1, workers == 0 ? "others pay more" : "its turn");
    }

    Observation only() throws IOException {
        List<Observation> jobs = runs.observe().jobs();
        assertThat(jobs).hasSize(1);
        assertThat(jobs.get(0).spec().id()).isEqualTo(ID);
        return jobs.get(0);
    }

    QueueState written() throws IOException {
        return queue.find(ID).orElseThrow().state();
    }

    String job(int generation) throws IOException {
        return queue.find(ID).orElseThrow().run().job(generation);
    }

    void running() throws IOException {
        queued();
        only();
        runs.act(give(2));
        only();
    }

    void paused() throws IOException {
        running();
        flink.answer("/jobs/" + ID + "/stop", "{}");
        state(ID, "FINISHED");
        engine.newest.put(folder(0), "file:/savepoint");
        runs.act(give(0));
    }

    /** The folder of one of the run's jobs. */
    String folder(int generation) throws IOException {
        return CHECKPOINTS + "/" + job(generation);
    }
}
