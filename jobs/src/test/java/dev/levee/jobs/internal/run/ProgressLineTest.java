package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.run.JobProgress.Moment;

import org.junit.jupiter.api.Test;

import java.util.List;

class ProgressLineTest {
    private static final List<String> RULES = List.of("multi-krum", "average");

    @Test
    void showsTheRunThatWillEndLast() {
        Moment ahead = new Moment("RUNNING", 500, 0.25, 0.912, 50);
        Moment behind = new Moment("RUNNING", 200, Double.NaN, Double.NaN, 10);
        assertThat(ProgressLine.of(RULES, List.of(ahead, behind), 1000))
                .isEqualTo(
                        "round 200/1000  10.0 rounds/s  1:20 left | multi-krum loss 0.250 accuracy"
                                + " 91.2 % | average loss – accuracy –");
    }

    @Test
    void saysSoBeforeAndAfter() {
        Moment done = new Moment("RUNNING", 1000, 0.25, 0.912, 50);
        assertThat(ProgressLine.of(RULES, List.of(Moment.NOTHING, Moment.NOTHING), 1000))
                .startsWith("starting | multi-krum loss – accuracy –");
        assertThat(ProgressLine.of(RULES, List.of(done, done), 1000)).startsWith("finishing | ");
    }
}
