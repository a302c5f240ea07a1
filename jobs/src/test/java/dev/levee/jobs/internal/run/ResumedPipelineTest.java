package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stages of runs that are resumed. Their layers are not measured, so no test needs PyTorch. */
class ResumedPipelineTest {
    /** Four layers in stages that no measurement would choose. */
    private static final List<Integer> STAGES = List.of(0, 1, 3);

    @TempDir Path directory;

    private Path record(String folder, List<Integer> stages) throws IOException {
        Path run = Files.createDirectories(directory.resolve(folder));
        new RunFiles(OutputLayout.absolute(run.toString()))
                .write(RunRecords.unreachable(run.toUri() + "checkpoints", Tracking.NONE, stages));
        return run;
    }

    static RunPlan plan(String... more) {
        Map<String, GivenSetting> given = new HashMap<>();
        put(given, "dataset=strokes:?train=300&test=100");
        put(given, "model=mnist-cnn");
        put(given, "aggregator=average");
        put(given, "byzantine=0");
        for (String each : more) {
            put(given, each);
        }
        return RunPlan.of(
                RunConfig.SETTINGS.read(given),
                Deployment.SETTINGS.read(given),
                1,
                Clock.systemUTC());
    }

    private static void put(Map<String, GivenSetting> given, String option) {
        int equals = option.indexOf('=');
        given.put(
                option.substring(0, equals),
                new GivenSetting(List.of(option.substring(equals + 1)), option));
    }

    private static List<Integer> lastLayers(RunPlan plan) {
        return ((PipelinedModel) plan.trainings().get(0).model()).lastLayers();
    }

    @Test
    void aResumedRunKeepsItsStages() throws IOException {
        Path run = record("run", STAGES);
        RunPlan inside = plan("pipeline=3", "resume=" + run.resolve("checkpoints/job/chk-7"));
        assertThat(lastLayers(inside)).isEqualTo(STAGES);
        RunPlan savepoint =
                plan("pipeline=3", "resume=" + directory.resolve("savepoint"), "output=" + run);
        assertThat(lastLayers(savepoint)).isEqualTo(STAGES);
        LeftFolder.requireSameModel(savepoint);
    }

    @Test
    void stagesThatKeepMomentumMustBeTheSame() throws IOException {
        Path run = record("run", List.of(1, 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeftFolder.requireSameModel(plan("pipeline=1", "resume=" + run)))
                .withMessage(
                        "--resume %s is a run whose stages end with layers [1, 3], and those of"
                                + " --pipeline 1 end with [3]",
                        run);
        LeftFolder.requireSameModel(plan("pipeline=1", "resume=" + run, "momentum-side=server"));
        LeftFolder.requireSameModel(plan("pipeline=1", "resume=" + record("old", null)));
    }

    @Test
    void aCheckpointWithoutItsRunHasNoKnownStages() throws IOException {
        String alone = directory.resolve("chk-7").toString();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LeftFolder.requireSameModel(plan("pipeline=1", "resume=" + alone)))
                .withMessage(
                        "--resume %s is not in the folder of its run, which has the stages of"
                                + " --pipeline 1 in run.json: name that folder with --output",
                        alone);
        LeftFolder.requireSameModel(plan("pipeline=1", "resume=" + alone, "momentum-side=server"));
    }
}
