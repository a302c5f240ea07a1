package dev.levee.jobs.internal.config.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.federated.Algorithm;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

class FederationConfigTest {
    private static FederationConfig read(Map<String, ?> values) {
        Map<String, GivenSetting> given = new HashMap<>();
        values.forEach(
                (name, value) -> {
                    List<?> all = value instanceof List<?> list ? list : List.of(value);
                    given.put(
                            name,
                            new GivenSetting(
                                    all.stream().map(String::valueOf).toList(), "--" + name));
                });
        return FederationConfig.SETTINGS.read(given);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whatIsWrittenOfThePartsIsReadBack(Algorithm algorithm) {
        FederationConfig config = read(Map.of("algorithm", algorithm.word(), "seed", 7));
        assertThat(config.length().seed()).isEqualTo(7);
        assertThat(read(FederationConfig.SETTINGS.write(config))).isEqualTo(config);
    }

    /** A run is named by a hash of all of them in this order, and checkpoints know it by that. */
    @Test
    void settingsStandInTheOrderThatNamesRuns() {
        assertThat(FederationConfig.SETTINGS.entries().stream().map(SettingsTable.Entry::name))
                .containsExactly(
                        ("algorithm dataset partition model python device loss gan score-network devices"
                                        + " per-round sampling"
                                        + " most-samples capability speed available buffer"
                                        + " staleness-weight max-staleness replay slices"
                                        + " reset-every reset-slices compress swap-every weighting"
                                        + " local-steps local-epochs load batch-size learning-rate"
                                        + " schedule local-optimizer local-momentum local-beta1"
                                        + " local-epsilon local-state proximal correction averaging personal local-test aggregator"
                                        + " byzantine oracle-batch oracle-every attackers attack server-step"
                                        + " server-rate dp-clip dp-noise dp-delta secure-sum"
                                        + " deadline min-devices round-timeout non-finite rounds"
                                        + " eval-interval seed")
                                .split(" "));
    }

    @Test
    void aRoundSynchronisesASliceOrTheGenerator() {
        FederationConfig both =
                read(Map.of("algorithm", "mdgan", "slices", 3, "per-round", 4, "devices", 4));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FederationResolver.check(both))
                .withMessageContaining("exclude each other");
    }

    @Test
    void whatMeansNothingWithABarrierIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("buffer", 3)))
                .withMessage(
                        "--buffer is for fedasync, fedbuff and zeno++, got 3 with --algorithm fedavg");
        FederationConfig waiting = read(Map.of("algorithm", "fedbuff", "deadline", "3s"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FederationResolver.check(waiting))
                .withMessage(
                        "asynchronous runs have no barrier, so --deadline and --min-devices "
                                + "do not apply");
    }

    /** An option that devices do not learn of would silently have no effect. */
    @Test
    void devicesAreToldEachOptionOfTheirTrainingOrItIsRefused() {
        Map<String, String> refused =
                Map.of(
                        "load", "capability",
                        "local-epsilon", "2",
                        "correction", "dynamic(0.1)",
                        "averaging", "normalized",
                        "personal", "ditto(lambda=1)",
                        "local-test", "0.5");
        for (SettingsTable.Entry option : SettingsTable.of(LocalSettings.class).entries()) {
            String name = option.name();
            if (option.about().told() || name.equals("batch-size")) {
                continue; // the batch size is in each model
            }
            assertThat(refused).as("told, or refused over Kafka").containsKey(name);
            // Only AdaAlter has an ε; over Kafka, the averaged state that it needs is refused.
            String algorithm = name.equals("local-epsilon") ? "adaalter" : "fedavg";
            FederationConfig config =
                    read(
                            Map.of(
                                    "algorithm",
                                    algorithm,
                                    "sampling",
                                    "uniform",
                                    name,
                                    refused.get(name)));
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> FederationResolver.checkOutside(config))
                    .withMessageContaining("is for devices inside the job");
        }
    }
}
