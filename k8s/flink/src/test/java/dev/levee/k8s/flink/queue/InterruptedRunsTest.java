package dev.levee.k8s.flink.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.queue.QueueState.Phase;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Allocators that are killed, clusters that forget, and storage that does not answer. */
class InterruptedRunsTest extends QueueFixture {
    @Test
    void whoeverSubmittedAJobAndWasKilledSubmitsNoSecondOne() throws IOException {
        queued();
        only();
        engine.killed = true;
        assertThatThrownBy(() -> runs.act(give(2))).hasMessage("killed");
        assertThat(written().phase()).isEqualTo(Phase.STARTING);
        restart();
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        assertThat(engine.started).hasSize(1);
    }

    /** Earlier builds did not record that they were submitting a job. */
    @Test
    void aJobOfAWaitingRunIsFoundAndCanBeCancelled() throws IOException {
        queued();
        state(ID, "RUNNING");
        assertThat(only().phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        queue.save(ID, QueueState.fresh());
        queue.cancel(ID);
        flink.onChange("/jobs/" + ID, () -> state(ID, "CANCELED"));
        runs.observe();
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        runs.observe();
        assertThat(written())
                .extracting(QueueState::phase, QueueState::why)
                .containsExactly(Phase.ENDED, "was canceled");
        assertThat(engine.started).isEmpty();
    }

    private void killedAndForgotten() throws IOException {
        queued();
        only();
        engine.killed = true;
        assertThatThrownBy(() -> runs.act(give(2))).hasMessage("killed");
        engine.killed = false;
        flink.fail("/jobs/" + ID, 404);
        seen.clear();
        restart();
    }

    @Test
    void aJobThatFinishedWhileNobodyLookedIsNotStartedAgain() throws IOException {
        killedAndForgotten();
        engine.finished.add(OUTPUT);
        assertThat(runs.observe().jobs()).isEmpty();
        assertThat(queue.find(ID)).isEmpty();
    }

    @Test
    void aJobThatWasForgottenWhileNobodyLookedGoesOnFromItsCheckpoint() throws IOException {
        killedAndForgotten();
        engine.newest.put(CHECKPOINTS, "file:/of-another-run");
        engine.newest.put(folder(0), "file:/chk-7");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        runs.act(give(1));
        assertThat(engine.started).last().isEqualTo(job(1) + " from file:/chk-7 with 1 to 1");
        assertThat(news).isEmpty();
    }

    @Test
    void aJobThatEndedBeforeItsFirstCheckpointIsFollowedByAnotherOne() throws IOException {
        killedAndForgotten();
        engine.refused.add(ID);
        for (int i = 0; i < 2; i++) {
            assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
            runs.act(give(1));
        }
        assertThat(engine.started).last().isEqualTo(job(1) + " from null with 1 to 1");
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        assertThat(news).isEmpty();
    }

    /** A submission whose answer was lost may still arrive. */
    @Test
    void aJobThatIsNotThereYetIsSubmittedWithTheSameId() throws IOException {
        killedAndForgotten();
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        runs.act(give(1));
        assertThat(engine.started).last().isEqualTo(ID + " from null with 1 to 1");
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
        engine.newest.put(folder(0), "file:/savepoint");
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
    void aClusterThatForgotItsJobsIsGivenThemAgain() throws IOException {
        running();
        flink.fail("/jobs/" + ID, 404);
        seen.clear();
        engine.newest.put(CHECKPOINTS, "file:/of-another-run");
        engine.newest.put(folder(0), "file:/chk-7");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        runs.act(give(1));
        assertThat(engine.started).last().isEqualTo(job(1) + " from file:/chk-7 with 1 to 1");
        assertThat(news).singleElement().asString().endsWith("it continues from file:/chk-7");
    }

    @Test
    void aJobThatIsForgottenBeforeItsFirstCheckpointStartsWhereItStarted() throws IOException {
        paused();
        engine.newest.put(CHECKPOINTS, "file:/of-another-run");
        for (int generation = 1; generation < 3; generation++) {
            runs.act(give(1));
            if (generation == 2) {
                queue.save(ID, written().pausing("asked", only()));
            }
            flink.fail("/jobs/" + job(generation), 404);
            seen.remove(job(generation));
            assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
            assertThat(written().restore()).isEqualTo("file:/savepoint");
            assertThat(written().generation()).isEqualTo(generation + 1);
        }
        assertThat(engine.deleted).isEmpty();
    }

    /** Their folder had no name of the run; Flink's name of a savepoint begins with the job's. */
    @Test
    void aPauseThatAnEarlierBuildAskedForIsFound() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        String earlier = "file:/pause-0/savepoint-012345-3fdb34ba0d1b";
        engine.newest.put(CHECKPOINTS + "/pause-0", earlier);
        state(ID, "FINISHED");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        assertThat(written().restore()).isEqualTo(earlier);
        assertThat(engine.deleted).isEmpty();
    }

    @Test
    void aSavepointOfAnotherRunIsNotTaken() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        engine.newest.put(CHECKPOINTS + "/pause-0", "file:/pause-0/savepoint-9876fe-3fdb34ba0d1b");
        state(ID, "FINISHED");
        runs.observe();
        assertThat(written().why()).isEqualTo("was stopped, and its savepoint is missing");
    }

    private void otherJob() {
        state("another", "RUNNING");
        flink.answer("/overview", "{}");
    }

    @Test
    void aRunWhoseStorageDoesNotAnswerStopsNobody() throws IOException {
        running();
        otherJob();
        flink.fail("/jobs/" + ID, 404);
        seen.remove(ID);
        engine.unreachable = true;
        for (int i = 0; i < 2; i++) {
            assertThat(runs.observe().jobs())
                    .extracting(job -> job.spec().id(), Observation::workers)
                    .containsExactly(tuple("another", 2), tuple(ID, 2));
        }
        assertThat(news).containsExactly("job " + ID + " stays as it is: no storage answers");
        engine.unreachable = false;
        runs.observe();
        assertThat(written().phase()).isEqualTo(Phase.WAITING);
    }

    @Test
    void aRunWithDamagedResultsStopsNobody() throws IOException {
        running();
        otherJob();
        state(ID, "FINISHED");
        engine.damaged = true;
        assertThat(runs.observe().jobs())
                .extracting(job -> job.spec().id())
                .containsExactly("another", ID);
        assertThat(news).containsExactly("job " + ID + " stays as it is: the summary is damaged");
    }

    @Test
    void aDamagedRunStopsNobody() throws IOException {
        queued();
        otherJob();
        WatchedRuns watched = watched();
        for (Path file : List.of(file("state.json"), file("run.json"))) {
            byte[] whole = Files.readAllBytes(file);
            for (String damaged : List.of("", "null", "{}", "{\"phase\":", "\0\0")) {
                Files.writeString(file, damaged);
                nobodyIsStopped(watched);
            }
            Files.write(file, new byte[] {-1});
            nobodyIsStopped(watched);
            Files.delete(file);
            Files.createDirectory(file);
            nobodyIsStopped(watched);
            Files.delete(file);
            Files.write(file, whole);
        }
        String sentence =
                "%s is damaged, unreadable or not written by Levee; restore it, or delete its"
                        + " folder to remove the run from the queue";
        String state = sentence.formatted(file("state.json"));
        String run = sentence.formatted(file("run.json"));
        assertThat(news)
                .containsExactly(
                        state,
                        "job " + ID + " stays as it is: " + state,
                        run,
                        "job " + ID + " stays as it is: " + run);
        assertThat(runs.observe().jobs()).hasSize(2);
    }

    private Path file(String name) {
        return queue.folder().resolve(ID).resolve(name);
    }

    private void nobodyIsStopped(WatchedRuns watched) throws IOException {
        for (Cluster each : List.of(watched, runs)) {
            assertThat(each.observe().jobs())
                    .extracting(job -> job.spec().id())
                    .containsExactly("another");
        }
    }

    @Test
    void aRunWhoseStateIsMissingIsDamaged() throws IOException {
        queued();
        Files.delete(file("state.json"));
        assertThat(watched().observe().jobs()).isEmpty();
        assertThat(news).singleElement().asString().startsWith(file("state.json") + " is damaged");
        Files.delete(file("run.json"));
        assertThat(watched().observe().jobs()).isEmpty();
        assertThat(news).hasSize(1);
    }

    @Test
    void aClusterThatDoesNotAnswerIsNotObserved() throws IOException {
        running();
        flink.fail("/jobs/" + ID, 500);
        flink.fail("/overview", 500);
        assertThatThrownBy(runs::observe).isInstanceOf(IOException.class);
        assertThat(news).isEmpty();
    }

    @Test
    void aPauseThatFailedIsNoticedInEveryState() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        flink.answer(
                "/jobs/" + ID + "/savepoints/asked",
                "{\"operation\":{\"failure-cause\":{\"class\":\"a.LostException\"}}}");
        state(ID, "RESTARTING");
        runs.observe();
        assertThat(written().phase()).isEqualTo(Phase.RUNNING);
        assertThat(news).containsExactly("job " + ID + " could not be paused: a.LostException");
    }
}
