package dev.levee.jobs.internal.config.federated;

import dev.levee.federated.Algorithm;
import dev.levee.federated.devices.Weighting;
import dev.levee.gar.Rule;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;

/**
 * The settings that determine the model of a federated training, in parts. Their order determines
 * the run's name, so it must stay.
 */
public record FederationConfig(
        @Setting(
                        group = "Algorithm",
                        label = "NAME",
                        derived = "fedavg, or fegan with --gan",
                        help =
                                "One of ${bundle:algorithms}. It sets defaults of the options"
                                        + " below, which --dry-run prints.")
                Algorithm algorithm,
        DataSettings data,
        DeviceSettings devices,
        VirtualTimeSettings time,
        AsynchronySettings asynchrony,
        ScopeSettings scope,
        @Setting(
                        group = "Devices",
                        label = "NAME",
                        derived =
                                "samples, kl for fegan, or equal for fl-vanilla, mdgan and rules"
                                        + " that take no weights",
                        told = true,
                        help = "Weight of a device: equal, samples, kl, kl-unscaled or kl-code.")
                Weighting weighting,
        LocalSettings local,
        AggregationSettings aggregation,
        AttackSettings attack,
        ServerSettings server,
        PrivacySettings privacy,
        AdmissionSettings admission,
        LengthSettings length) {

    /** All settings of this record. */
    public static final SettingsTable<FederationConfig> SETTINGS =
            SettingsTable.of(FederationConfig.class);

    /**
     * Fills in defaults that depend on the algorithm and on other settings.
     *
     * @throws IllegalArgumentException if settings exclude each other; one sentence
     */
    public FederationConfig {
        algorithm =
                algorithm != null
                        ? algorithm
                        : data.adversarial() ? Algorithm.FEGAN : Algorithm.FEDAVG;
        data = data.completed(algorithm, devices.own());
        devices = devices.completed(algorithm);
        aggregation = aggregation.completed(algorithm);
        Rule rule = aggregation.rule();
        if (asynchrony.replay() != null && time.virtual()) {
            throw new IllegalArgumentException(
                    "--replay %s uses the recorded times of the devices; leave --speed %s out"
                            .formatted(asynchrony.replay(), time.speed()));
        }
        asynchrony =
                Pacing.of(algorithm).completed(asynchrony, algorithm, devices.perRound(), rule);
        time = time.completed(algorithm, asynchrony.replay() != null);
        scope = scope.completed(algorithm, data);
        local = local.completed(algorithm.local(), data.adversarial());
        attack = attack.completed(aggregation.byzantine());
        server = server.completed(algorithm.server());
        admission = admission.completed(rule, time.speed() != null);
        length = length.completed(algorithm, data.adversarial(), scope.swapping());
        boolean alike = privacy.noisy() || rule == null || !rule.takesWeights();
        weighting =
                weighting != null
                        ? weighting
                        : alike ? Weighting.EQUAL : algorithm.asked().weighting();
    }

    /** Whether rounds have a barrier. */
    public Pacing pacing() {
        return Pacing.of(algorithm);
    }
}
