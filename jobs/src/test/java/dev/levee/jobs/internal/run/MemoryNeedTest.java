package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class MemoryNeedTest {
    /** Bytes of a model of two classes and 999 features: a weight for each, and two biases. */
    private static final long MODEL = 4 * (2 * 999 + 2);

    private static RunPlan plan(String... more) {
        Map<String, GivenSetting> given = new HashMap<>();
        String data = Datasets.inline(new float[2][999], new int[] {0, 1}, 2);
        for (String each :
                List.of(
                        "dataset=" + data,
                        "model=logistic",
                        "workers=20",
                        "attackers=2",
                        "batch-size=5",
                        "aggregator=median")) {
            put(given, each);
        }
        for (String each : more) {
            put(given, each);
        }
        return RunPlan.of(
                RunConfig.SETTINGS.read(given),
                Deployment.SETTINGS.read(Map.of()),
                1,
                Clock.systemUTC());
    }

    private static void put(Map<String, GivenSetting> given, String option) {
        int equals = option.indexOf('=');
        given.put(
                option.substring(0, equals),
                new GivenSetting(List.of(option.substring(equals + 1)), option));
    }

    @Test
    void rowsMomentumModelsAndBatchesAreInMemoryAtTheSameTime() {
        MemoryNeed need = MemoryNeed.of(plan(), List.of(0));
        assertThat(need).isEqualTo(new MemoryNeed(20 * MODEL, 18 * MODEL, 3 * MODEL, 5 * 999 * 4));
        assertThat(MemoryNeed.of(plan("momentum-side=server"), List.of(0)).momentum()).isZero();
    }

    @Test
    void aPlanThatCannotFitIsRefusedInASentence() {
        RunPlan plan = plan();
        MemoryNeed need = MemoryNeed.of(plan, List.of(0));
        need.check(plan, need.bytes());
        need.check(plan, 0); // nobody knows
        assertThatThrownBy(() -> need.check(plan, need.bytes() - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "beside its data, the training needs at least 0.3 MiB of heap (gradients of"
                                + " a round 0.2 MiB, momentum of workers 0.1 MiB, copies of the model 0.0 MiB,"
                                + " batches 0.0 MiB), and this process has 0.3 MiB: set"
                                + " LEVEE_JAVA_OPTS=-Xmx1m, or use --momentum-side server");
    }

    /** Data, which are not counted, may need more than all the rest. */
    @Test
    void aRunThatRanOutOfMemoryIsToldMoreThanItHad() {
        RunPlan plan = plan();
        assertThat(MemoryNeed.of(plan, List.of(0)).exhausted(plan, 4096L << 20))
                .startsWith("Memory ran out: beside its data, the training needs at least 0.3 MiB")
                .contains("this process has 4096 MiB: set LEVEE_JAVA_OPTS=-Xmx8193m");
    }

    @Test
    void aFailureForLackOfMemoryIsRecognizedHoweverItWasPassedOn() {
        assertThat(MemoryNeed.ranOut(new RuntimeException(new OutOfMemoryError("heap")))).isTrue();
        assertThat(
                        MemoryNeed.ranOut(
                                new RuntimeException(
                                        "java.lang.OutOfMemoryError: Java heap space")))
                .isTrue();
        assertThat(MemoryNeed.ranOut(new RuntimeException("out of luck"))).isFalse();
    }
}
