package dev.levee.jobs.internal.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.flink.EstimationPlan;
import dev.levee.jobs.internal.config.EstimateConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class EstimateSubmissionTest {
    /** The id of an estimate of four rows by one learner. */
    private static String id(String learner) {
        EstimateConfig config =
                EstimateConfig.SETTINGS.read(
                        Map.of(
                                "data", given("csv:table.csv"),
                                "outcome", given("y"),
                                "treatment", given("d"),
                                "learner", given(learner),
                                "folds", given("2")));
        EffectData data =
                new EffectData(
                        new EffectData.Column("y", new double[] {1, 2, 4, 3}),
                        List.of(new EffectData.Column("d", new double[] {0, 1, 1, 0})),
                        List.of(),
                        List.of(new EffectData.Column("x", new double[] {5, 6, 8, 7})),
                        List.of(),
                        List.of());
        EstimationPlan plan =
                EstimationPlan.of(
                        config.columns(), data, config.specification(0), FitTask.Size.FOLD);
        return new EstimateSubmission(config, null, null, plan, "file:/out").id();
    }

    private static GivenSetting given(String value) {
        return new GivenSetting(List.of(value), "--option");
    }

    /** Checkpoints of earlier versions have these ids. */
    @Test
    void onlyLearnersWithOtherResultsChangeTheIdOfAnEstimate() {
        assertThat(id("linear")).isEqualTo("plr-490e1b28");
        assertThat(id("lasso(alpha=0.1|1)")).isEqualTo("plr-23eb384d");
        assertThat(id("forest(trees=5)")).isNotEqualTo("plr-00a11adb");
        assertThat(id("boosting(trees=5|10)")).isNotEqualTo("plr-8221ab61");
    }
}
