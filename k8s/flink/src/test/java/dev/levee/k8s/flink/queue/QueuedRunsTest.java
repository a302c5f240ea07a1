package dev.levee.k8s.flink.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.flink.RecordedFlink;
import dev.levee.k8s.flink.queue.QueueState.Phase;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

class QueuedRunsTest extends QueueFixture {
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
    void onlyTheNewestSavepointOfARunIsKept() throws IOException {
        paused();
        String first = folder(0);
        String second = folder(1);
        runs.act(give(1));
        only();
        assertThat(engine.deleted).isEmpty();
        queue.save(ID, written().pausing("asked", only()));
        state(job(1), "FINISHED");
        engine.newest.put(second, "file:/savepoint-2");
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        assertThat(written().restore()).isEqualTo("file:/savepoint-2");
        assertThat(engine.deleted).containsExactly(first);
    }

    @Test
    void aRunWhoseOldSavepointCannotBeDeletedContinues() throws IOException {
        paused();
        runs.act(give(1));
        queue.save(ID, written().pausing("asked", only()));
        state(job(1), "FINISHED");
        engine.newest.put(folder(1), "file:/savepoint-2");
        engine.undeletable = true;
        assertThat(only().phase()).isEqualTo(JobPhase.WAITING);
        assertThat(news).isEmpty();
    }

    /** Runs may share the folder above those of their jobs. */
    @Test
    void aRunThatEndsDeletesWhatItsOwnJobsWrote() throws IOException {
        paused();
        List<String> own = List.of(folder(0), folder(1));
        runs.act(give(1));
        state(job(1), "FINISHED");
        engine.finished.add(OUTPUT);
        runs.observe();
        assertThat(queue.find(ID)).isEmpty();
        assertThat(engine.deleted).isEqualTo(own);
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
        engine.newest.put(folder(0), "file:/savepoint");
        restart();
        assertThat(runs.observe().jobs())
                .extracting(Observation::phase)
                .containsExactly(JobPhase.FINISHED); // Flink still shows its end
        assertThat(written())
                .extracting(QueueState::phase, QueueState::why)
                .containsExactly(Phase.ENDED, "was canceled");
        assertThat(engine.started).hasSize(1);
    }

    /** A pause needs all slots, so it does not end while some are lost. */
    @Test
    void whatIsCancelledWhileItsPauseHangsIsCancelledInFlink() throws IOException {
        running();
        queue.save(ID, written().pausing("asked", only()));
        flink.answer("/jobs/" + ID + "/savepoints/asked", "{\"status\":{\"id\":\"IN_PROGRESS\"}}");
        state(ID, "RESTARTING");
        queue.cancel(ID);
        flink.onChange("/jobs/" + ID, () -> state(ID, "CANCELED"));
        runs.observe();
        assertThat(written().phase()).isEqualTo(Phase.PAUSING);
        runs.observe();
        assertThat(written())
                .extracting(QueueState::phase, QueueState::why)
                .containsExactly(Phase.ENDED, "was canceled");
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
        WatchedRuns watched = watched();
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

    @Test
    void aQueueIsNotTakenToAnotherClusterWhileARunHasAJob() throws IOException {
        running();
        flink.answer("/overview", "{}");
        service.close();
        try (RecordedFlink other = new RecordedFlink()) {
            String target = other.address().toString();
            QueueState running = written();
            for (QueueState each :
                    List.of(running.starting(), running, running.pausing("asked", only()))) {
                queue.save(ID, each);
                assertThatThrownBy(() -> queue.serve(target))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "job %s of the queue %s still runs on %s: cancel it with levee"
                                        + " cancel, share that cluster, or use another --queue for"
                                        + " this one",
                                ID, queue.folder(), flink.address());
            }
            queue.serve(flink.address().toString()).close(); // what was refused changed nothing

            other.answer("/jobs/" + ID, "{\"state\":\"RUNNING\"}");
            queue.serve(target).close(); // another address of the same cluster
        }
    }

    @Test
    void aQueueIsTakenToAnotherClusterOnceNothingRunsOnTheFirst() throws IOException {
        running();
        flink.answer("/overview", "{}");
        service.close();
        try (RecordedFlink other = new RecordedFlink()) {
            state(ID, "CANCELED");
            queue.serve(other.address().toString()).close();
        }
        try (RecordedFlink third = new RecordedFlink()) {
            queue.serve(third.address().toString()).close(); // the one before does not answer
        }
        Files.writeString(queue.folder().resolve(".allocator"), "");
        queue.serve(flink.address().toString()).close();
    }

    @Test
    void whatKilledCommandsLeftIsDeletedAfterADay() throws IOException {
        service.close();
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(25)));
        Path left = queue.prepare("0".repeat(32));
        Files.writeString(left.resolve("jar"), "large");
        Path prepared = queue.prepare("1".repeat(32));
        Path foreign = queue.prepare("git");
        for (Path each : List.of(left, foreign)) {
            Files.setLastModifiedTime(each, longAgo);
        }
        queue.serve(flink.address().toString()).close();
        assertThat(left).doesNotExist();
        assertThat(prepared).exists();
        assertThat(foreign).exists();
    }
}
