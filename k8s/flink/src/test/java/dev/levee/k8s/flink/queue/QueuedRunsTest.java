package dev.levee.k8s.flink.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.RecordedFlink;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

/** A queue whose allocator may be killed between any two steps. */
class QueuedRunsTest {
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final String OUTPUT = "file:/out";
    private static final String CHECKPOINTS = "file:/out/checkpoints/average";
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 4, 2, 16, 512, 0.1), true, 0);

    @TempDir Path directory;

    private final Engine engine = new Engine();
    private final List<String> news = new ArrayList<>();
    private final Map<String, Observation> seen = new HashMap<>();
    private final List<Decision> passedOn = new ArrayList<>();
    private RecordedFlink flink;
    private RunQueue queue;
    private RunQueue.Service service;
    private QueuedRuns runs;

    /** Submits to the recorded cluster; can be killed right after that. */
    private final class Engine implements RunLauncher {
        private final List<String> started = new ArrayList<>();
        private final Map<String, String> newest = new HashMap<>();
        private final Set<String> finished = new HashSet<>();
        private boolean killed;

        @Override
        public void start(Path folder, String job, String restore, int least, int workers) {
            started.add("%s from %s with %d to %d".formatted(job, restore, least, workers));
            state(job, "RUNNING");
            if (killed) {
                throw new IllegalStateException("killed");
            }
        }

        @Override
        public Optional<String> newest(String folder) {
            return Optional.ofNullable(newest.get(folder));
        }

        @Override
        public boolean finished(String output) {
            return finished.contains(output);
        }

        @Override
        public void delete(String folder) {}
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
    private void restart() {
        runs =
                new QueuedRuns(
                        service,
                        new Cluster() {
                            @Override
                            public ClusterObservation observe() {
                                return new ClusterObservation(4, List.copyOf(seen.values()));
                            }

                            @Override
                            public void act(Decision decision) {
                                passedOn.add(decision);
                            }
                        },
                        new FlinkRest(flink.address()),
                        engine,
                        news::add);
    }

    private void queued() throws IOException {
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

    private void state(String job, String state) {
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

    private static Decision give(int workers) {
        return new Decision(ID, workers, 16, 0.1, workers == 0 ? "others pay more" : "its turn");
    }

    private Observation only() throws IOException {
        List<Observation> jobs = runs.observe().jobs();
        assertThat(jobs).hasSize(1);
        assertThat(jobs.get(0).spec().id()).isEqualTo(ID);
        return jobs.get(0);
    }

    private QueueState written() throws IOException {
        return queue.find(ID).orElseThrow().state();
    }

    private String job(int generation) throws IOException {
        return queue.find(ID).orElseThrow().run().job(generation);
    }

    private void running() throws IOException {
        queued();
        only();
        runs.act(give(2));
        only();
    }

    private void paused() throws IOException {
        running();
        flink.answer("/jobs/" + ID + "/stop", "{}");
        state(ID, "FINISHED");
        engine.newest.put(CHECKPOINTS + "/pause-0", "file:/savepoint");
        runs.act(give(0));
    }

    @Test
    void aRunThatComesWaitsAndStartsWhenItIsGivenWorkers() throws IOException {
        queued();
        Observation waiting = only();
        assertThat(waiting.phase()).isEqualTo(JobPhase.WAITING);
        assertThat(waiting.spec())
                .isEqualTo(
                        new QueuedRun(
                                        ID,
                                        "2026-01-01T00:00:00Z",
                                        "",
                                        "",
                                        "",
                                        REQUEST.configuration())
                                .spec());
        assertThat(waiting.spec()).extracting(JobSpec::pausable).isEqualTo(true);
        runs.act(give(0));
        assertThat(engine.started).isEmpty();
        assertThat(written().why()).isEqualTo("others pay more");
        runs.act(give(2));
        assertThat(engine.started).containsExactly(ID + " from null with 1 to 2");
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        runs.act(give(4));
        assertThat(passedOn).extracting(Decision::job).containsExactly(ID);
    }

    @Test
    void whoeverSubmittedAJobAndWasKilledSubmitsNoSecondOne() throws IOException {
        queued();
        only();
        engine.killed = true;
        assertThatThrownBy(() -> runs.act(give(2))).hasMessage("killed");
        assertThat(written().phase()).isEqualTo(Phase.WAITING);
        restart();
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        assertThat(engine.started).hasSize(1);
    }

    @Test
    void aPausedRunGoesOnFromItsSavepointAsAnotherJob() throws IOException {
        paused();
        restart();
        Observation waiting = only();
        assertThat(waiting.phase()).isEqualTo(JobPhase.WAITING);
        assertThat(waiting.localBatch()).isEqualTo(24);
        assertThat(waiting.progress()).isEqualTo(new Progress(100, 50, 300));
        runs.act(give(1));
        assertThat(engine.started).last().isEqualTo(job(1) + " from file:/savepoint with 1 to 1");
        assertThat(job(1)).isNotEqualTo(ID);
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
    }

    @Test
    void whoeverAskedForASavepointAndWasKilledFindsItLater() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        flink.answer("/jobs/" + ID + "/savepoints/asked", "{\"status\":{\"id\":\"IN_PROGRESS\"}}");
        restart();
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        runs.act(give(4));
        assertThat(passedOn).isEmpty(); // it is on its way out
        state(ID, "FINISHED");
        engine.newest.put(CHECKPOINTS + "/pause-0", "file:/savepoint");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        assertThat(written().restore()).isEqualTo("file:/savepoint");
    }

    @Test
    void aRequestToStopThatNeverArrivedIsForgotten() throws IOException {
        running();
        flink.fail("/jobs/" + ID + "/stop", 500);
        assertThatThrownBy(() -> runs.act(give(0))).isInstanceOf(IOException.class);
        assertThat(written().phase()).isEqualTo(Phase.PAUSING);
        restart();
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        assertThat(news)
                .containsExactly("job " + ID + " could not be paused: Flink knows of no request");
    }

    @Test
    void aRunThatEndsWhileItIsPausedHasEnded() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        state(ID, "FINISHED");
        engine.finished.add(OUTPUT);
        assertThat(runs.observe().jobs())
                .extracting(Observation::phase)
                .doesNotContain(JobPhase.WAITING);
        assertThat(queue.find(ID)).isEmpty();
    }

    @Test
    void aClusterThatForgotItsJobsIsGivenThemAgain() throws IOException {
        running();
        flink.fail("/jobs/" + ID, 404);
        seen.clear();
        engine.newest.put(CHECKPOINTS, "file:/chk-7");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        runs.act(give(1));
        assertThat(engine.started).last().isEqualTo(job(1) + " from file:/chk-7 with 1 to 1");
        assertThat(news).singleElement().asString().endsWith("it continues from file:/chk-7");
    }

    @Test
    void whatWasCancelledNeverStarts() throws IOException {
        queued();
        only();
        queue.cancel(ID);
        runs.act(give(2));
        assertThat(engine.started).isEmpty();
        assertThat(runs.observe().jobs()).isEmpty();
        assertThat(written())
                .extracting(QueueState::phase, QueueState::why)
                .containsExactly(Phase.ENDED, "was canceled");
    }

    @Test
    void whatWasCancelledWhileItWasBeingPausedGoesOnNoMore() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        assertThat(queue.cancel(ID)).isTrue();
        state(ID, "FINISHED");
        engine.newest.put(CHECKPOINTS + "/pause-0", "file:/savepoint");
        restart();
        assertThat(runs.observe().jobs())
                .extracting(Observation::phase)
                .containsExactly(JobPhase.FINISHED); // Flink still shows its end
        assertThat(written())
                .extracting(QueueState::phase, QueueState::why)
                .containsExactly(Phase.ENDED, "was canceled");
        assertThat(engine.started).hasSize(1);
    }

    @Test
    void whatHasLeftTheLineCannotBeCancelled() throws IOException {
        queued();
        queue.remove(ID);
        assertThat(queue.cancel(ID)).isFalse();
    }

    /** A line that is only looked at, in each state that a run can be in. */
    @Test
    void whoeverOnlyLooksSeesTheSameAndWritesNothing() throws IOException {
        WatchedRuns watched =
                new WatchedRuns(
                        queue,
                        new Cluster() {
                            @Override
                            public ClusterObservation observe() {
                                return new ClusterObservation(4, List.copyOf(seen.values()));
                            }

                            @Override
                            public void act(Decision decision) {
                                passedOn.add(decision);
                            }
                        });
        assertThat(watched.observe().jobs()).isEmpty();
        queued();
        assertThat(watched.observe().jobs()).containsExactly(only());
        watched.act(give(2));
        assertThat(engine.started).isEmpty();
        runs.act(give(2));
        QueueState before = written();
        assertThat(watched.observe().jobs()).containsExactly(only());
        assertThat(watched.observe().jobs())
                .extracting(Observation::phase)
                .containsExactly(JobPhase.RUNNING);
        watched.act(give(0));
        assertThat(written()).isEqualTo(before);
        assertThat(passedOn).isEmpty();
        queue.cancel(ID);
        queue.save(ID, written().paused("file:/savepoint"));
        seen.clear();
        assertThat(watched.observe().jobs()).isEmpty();
        assertThat(written().phase()).isEqualTo(Phase.WAITING);
    }

    @Test
    void twoAllocatorsDoNotServeOneLine() throws IOException {
        assertThat(queue.served()).contains(flink.address().toString());
        assertThatThrownBy(() -> queue.serve("http://127.0.0.1:1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("another allocator serves the queue ");
        service.close();
        assertThat(queue.served()).isEmpty();
    }
}
