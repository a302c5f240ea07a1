package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.RunFailedException;

import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

import java.io.FileNotFoundException;
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
    void anythingElseIsNamedByItsFirstCause() {
        Exception failed = new RuntimeException(new FileNotFoundException("a.txt"));
        assertThat(Failures.sentence(failed)).isEqualTo("java.io.FileNotFoundException: a.txt");
    }
}
