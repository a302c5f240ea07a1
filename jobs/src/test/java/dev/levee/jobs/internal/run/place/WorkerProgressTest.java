package dev.levee.jobs.internal.run.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerProgressTest {
    private static final Settings SAMPLED =
            new Settings(Cohort.of(1, 7), 0, 2, 8, 0.1, false, false, 0);

    private static String line(String worker, Settings settings) {
        WorkerProgress progress = new WorkerProgress(worker);
        progress.model(5, 3, settings);
        return progress.line();
    }

    @ParameterizedTest
    @CsvSource({
        "w0, w0 is idle: it is not asked in round 3",
        "w1, w1 round 3 computing | 0 answers | loss –",
        "w7, w7 round 3 computing | 0 answers | loss –",
        "w8, w8 is idle: it is not asked in round 3"
    })
    void saysWhetherASampledWorkerIsAsked(String worker, String line) {
        assertThat(line(worker, SAMPLED)).isEqualTo(line);
    }

    @Test
    void nobodyIsIdleAtTheFinalVersion() {
        assertThat(line("w0", SAMPLED.stopped())).doesNotContain("idle");
    }
}
