package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.run.JobProgress.Snapshot;

import org.junit.jupiter.api.Test;

import java.util.List;

class ProgressLineTest {
    private static final List<String> RULES = List.of("multi-krum", "average");
    private static final List<Boolean> NONE = List.of(false, false);

    @Test
    void showsTheRunThatWillEndLast() {
        Snapshot ahead = new Snapshot("RUNNING", 500, 0.25, 0.912, 50, 3, 11);
        Snapshot behind = new Snapshot("RUNNING", 200, Double.NaN, Double.NaN, 10, 3, 11);
        assertThat(ProgressLine.of(RULES, List.of(ahead, behind), NONE, 1000))
                .isEqualTo(
                        "round 200/1000  10.0 rounds/s  1:20 left | multi-krum loss 0.250 accuracy"
                                + " 91.2 % | average loss – accuracy –");
    }

    @Test
    void saysSoBeforeAndAfter() {
        Snapshot done = new Snapshot("RUNNING", 1000, 0.25, 0.912, 50, 3, 11);
        assertThat(ProgressLine.of(RULES, List.of(Snapshot.NOTHING, Snapshot.NOTHING), NONE, 1000))
                .startsWith("starting | multi-krum loss – accuracy –");
        assertThat(ProgressLine.of(RULES, List.of(done, done), NONE, 1000))
                .startsWith("finishing | ");
    }

    @Test
    void saysWhoHasToBeWaitedFor() {
        Snapshot waits = new Snapshot("RUNNING", 3, 0.25, 0.912, 50, 5, 11);
        assertThat(ProgressLine.of(List.of("median"), List.of(waits), List.of(true), 1000))
                .isEqualTo(
                        "waiting for gradients of round 3, 5 of 11 there | median loss 0.250"
                                + " accuracy 91.2 %");
    }
}
