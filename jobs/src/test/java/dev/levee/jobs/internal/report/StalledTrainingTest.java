package dev.levee.jobs.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.page.StalledTraining;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

class StalledTrainingTest {
    private static RunView run(long rounds, LongToDoubleFunction loss, String attack)
            throws IOException {
        Map<String, Object> configuration = new LinkedHashMap<>(Runs.configuration("median"));
        configuration.put("attack", attack);
        configuration.put("learning-rate", 0.1);
        Summary small = Summary.of(Runs.PROVENANCE, configuration, Math.log(2), Runs.result());
        Summary summary =
                Summary.parse(
                        small.json().replace("\"roundsDone\" : 2", "\"roundsDone\" : " + rounds));
        List<RunView.Point> points = new ArrayList<>();
        for (long version = 0; version <= rounds; version++) {
            double value = version == 0 ? Double.NaN : loss.applyAsDouble(version);
            points.add(
                    new RunView.Point(
                            version,
                            value,
                            1,
                            Map.of(Score.ACCURACY, 0.5),
                            3,
                            3,
                            1,
                            48,
                            0,
                            0,
                            0,
                            0));
        }
        return new RunView(summary, points, List.of());
    }

    @Test
    void aRunWhoseLossStaysAtThatOfGuessingHasStoppedLearning() throws IOException {
        RunView dead = run(400, version -> version < 50 ? 0.5 : 0.6931, "none");
        assertThat(StalledTraining.sentences(List.of(dead)))
                .containsExactly(
                        "median is not learning: in the last 40 rounds its training loss was"
                                + " 0.693, and guessing gives 0.693. Try --learning-rate 0.01.");
        assertThat(Report.of(List.of(dead))).contains("median is not learning");
    }

    @Test
    void aRunThatLearnsOrIsShortIsNotBlamed() throws IOException {
        assertThat(StalledTraining.sentences(List.of(run(400, version -> 0.3, "none")))).isEmpty();
        assertThat(StalledTraining.sentences(List.of(run(19, version -> 0.7, "none")))).isEmpty();
        assertThat(StalledTraining.sentences(List.of(run(400, version -> Double.NaN, "none"))))
                .isEmpty();
    }

    @Test
    void aLossThatIsNotFiniteAnyMoreIsNoBetterThanGuessing() throws IOException {
        RunView overflown = run(40, version -> version < 5 ? 9 : Double.NaN, "none");
        assertThat(StalledTraining.sentences(List.of(overflown)))
                .containsExactly(
                        "median is not learning: in the last 20 rounds its training loss was"
                                + " not finite, and guessing gives 0.693. Try --learning-rate 0.01.");
    }
}
