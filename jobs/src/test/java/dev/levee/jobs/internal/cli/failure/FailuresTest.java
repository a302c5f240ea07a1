package dev.levee.jobs.internal.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.fault.RunFailedException;

import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

class FailuresTest {
    @Test
    void aRunsOwnSentenceComesThroughTheEngine() {
        Exception failed =
                new ExecutionException(
                        "Job execution failed.",
                        new SerializedThrowable(
                                new RuntimeException(
                                        "Recovery is suppressed",
                                        new RunFailedException("worker 3 never answered"))));
        assertThat(Failures.sentence(failed)).isEqualTo("worker 3 never answered");
    }

    @Test
    void ourOwnSentenceHidesItsCause() {
        Exception failed = new IllegalStateException("port 1 is taken", new RuntimeException("x"));
        assertThat(Failures.sentence(failed)).isEqualTo("port 1 is taken");
    }

    @Test
    void aWorkersFailureSaysWhy() {
        Exception why =
                new IllegalArgumentException("48 samples cannot be distributed to 100 workers");
        Exception failed =
                new ExecutionException(
                        "Job execution failed.",
                        new SerializedThrowable(
                                new IllegalStateException(
                                        "worker 0 failed in round 0",
                                        new CompletionException(why))));
        assertThat(Failures.sentence(failed))
                .isEqualTo(
                        "worker 0 failed in round 0: 48 samples cannot be distributed to 100"
                                + " workers");
    }

    @Test
    void aFailedEvaluationSaysWhy() {
        Exception failed =
                new IllegalStateException(
                        "evaluation failed", new IllegalArgumentException("t.csv does not exist"));
        assertThat(Failures.sentence(failed)).isEqualTo("evaluation failed: t.csv does not exist");
    }

    @Test
    void anythingElseIsNamedByItsFirstCause() {
        Exception failed = new RuntimeException(new FileNotFoundException("a.txt"));
        assertThat(Failures.sentence(failed)).isEqualTo("java.io.FileNotFoundException: a.txt");
    }

    @Test
    void aFileIsNamedWithWhatIsWrongWithIt() {
        assertThat(Failures.sentence(new NoSuchFileException("a.txt")))
                .isEqualTo("a.txt does not exist");
        assertThat(Failures.sentence(new AccessDeniedException("a.txt")))
                .isEqualTo("a.txt: permission denied");
        assertThat(Failures.sentence(new DirectoryNotEmptyException("a")))
                .isEqualTo("a: is a folder that is not empty");
        assertThat(Failures.sentence(new FileSystemException("a.txt", null, "No space left")))
                .isEqualTo("a.txt: No space left");
    }

    @Test
    void aSavepointOfAnotherRunIsCalledSo() {
        String flink =
                "Failed to rollback to checkpoint/savepoint file:/runs/savepoint-617a41."
                        + " Cannot map checkpoint/savepoint state for operator"
                        + " fb8be1623505e1387670d2ba79b44a49 to the new program, because the"
                        + " operator is not available in the new program. If you want to allow to"
                        + " skip this, you can set the --allowNonRestoredState option on the CLI.";
        Exception failed =
                new ExecutionException(
                        "Could not start the JobMaster.",
                        new SerializedThrowable(
                                new CompletionException(new IllegalStateException(flink))));
        assertThat(Failures.sentence(failed))
                .isEqualTo(
                        "file:/runs/savepoint-617a41 belongs to another run: use its settings"
                                + " (only --rounds may differ), or start over without --resume");
    }
}
