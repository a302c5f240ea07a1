package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.kafka.worker.TrainingResolver;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.federated.DeviceWork;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Options of devices that are processes of their own, and of the job that leads them. */
class DeviceOptionsTest {
    private static CommandLineRun levee(String command, String options) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(options.split(" ")));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--keys here | --keys is for devices over Kafka: it needs --bootstrap-servers",
                "--new | --new is for devices over Kafka: it needs --bootstrap-servers",
                "--bootstrap-servers 127.0.0.1:9 --sampling uniform --sampling balanced | "
                        + "--sampling: a run over Kafka has one sampling, got 2",
                "--bootstrap-servers 127.0.0.1:9 --speed equal | --speed equal is for devices"
                        + " inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm fedbuff --speed equal | --speed equal"
                        + " is for devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm fedbuff --replay run.csv | --replay"
                        + " run.csv is for devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm fedbuff --max-staleness 0 |"
                        + " --max-staleness must be at least 1 if contributions count as they arrive,"
                        + " got 0",
                "--bootstrap-servers 127.0.0.1:9 --algorithm fedbuff --deadline 3s | asynchronous"
                        + " runs have no barrier, so --round-timeout and --deadline do not apply",
                "--bootstrap-servers 127.0.0.1:9 --server-step mix | --server-step mix is for"
                        + " devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm cser | --slices 8 is for devices"
                        + " inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm adaalter | --local-state average is"
                        + " for devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm fednova | --averaging normalized is"
                        + " for devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm q-fedavg | --averaging fair(1) is for"
                        + " devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm feddyn | --correction dynamic(0.1) is"
                        + " for devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --algorithm scaffold | --correction"
                        + " control-variates is for devices inside the job: leave --bootstrap-servers"
                        + " out",
                "--bootstrap-servers 127.0.0.1:9 --compress qsgd | --compress qsgd is for devices"
                        + " inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --aggregator zeno++ | --aggregator zeno++ is for"
                        + " devices inside the job: leave --bootstrap-servers out",
                "--bootstrap-servers 127.0.0.1:9 --attack reversed | --attack reversed is for"
                        + " devices inside the job; over Kafka, use the --attack option of levee "
                        + "device",
                "--bootstrap-servers 127.0.0.1:9 --new --resume here | --new and --resume "
                        + "exclude each other; give one of them",
            })
    void aJobNamesEachWrongOption(String options, String sentence) {
        CommandLineRun run = levee("federate", "--dry-run " + options);
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--id 3 | --id: a worker is called w and its number, such as w3; got 3",
                "--id w3 | --bootstrap-servers is needed: host:port of a Kafka broker",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --delay soon | --delay must be"
                        + " a duration above zero such as 500ms, 10s or 2min, got soon",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --model logistic --attack"
                        + " little-is-enough | --attack: little-is-enough",
                "--id w3 --bootstrap-servers 127.0.0.1:9 --unsigned --secure-sum | --secure-sum"
                        + " needs the keys of all devices: leave --unsigned out",
                "--id w3 --local-steps 3 | --local-steps is not known here",
            })
    void aDeviceNamesEachWrongOption(String options, String sentence) {
        CommandLineRun run = levee("device", options);
        assertThat(run.sentence()).startsWith(sentence);
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void overKafkaDevicesTakeTheTimeThatTheyTake() {
        CommandLineRun run =
                levee("federate", "--dry-run --bootstrap-servers 127.0.0.1:9 --algorithm fedasync");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("speed: wall\n", "buffer: 1\n", "server-step: mix\n")
                .doesNotContain("available");
    }

    /** The job tells devices whether to send models, and that nobody waits for them. */
    @Test
    void devicesAreToldWhatAnAsynchronousServerTakes() {
        FederationConfig config =
                FederationConfig.SETTINGS.read(
                        Map.of(
                                "algorithm", given("fedasync"),
                                "speed", given("wall"),
                                "model", given("logistic")));
        String told = DeviceWork.told(config);
        assertThat(told).contains("algorithm: fedasync\n", "server-step: mix\n");
        Settings settings = new Settings(Cohort.first(80), 0, 1, 50, 1, false, false, 0);
        assertThat(new DeviceWork().pulls(new TrainingResolver.Told(80, settings, told))).isTrue();
        FederationConfig waiting =
                FederationConfig.SETTINGS.read(Map.of("model", given("logistic")));
        String plain = DeviceWork.told(waiting);
        assertThat(plain).doesNotContain("algorithm", "server-step");
        assertThat(new DeviceWork().pulls(new TrainingResolver.Told(80, settings, plain)))
                .isFalse();
    }

    @Test
    void aDeviceMayInsistOnMasks() {
        Training own =
                Resolver.trainings(
                                RunSettings.DEVICE.read(
                                        Map.of(
                                                "model", given("logistic"),
                                                "dataset", given("strokes:?train=200&test=50"))),
                                1)
                        .get(0);
        Settings settings = new Settings(Cohort.first(4), 0, 4, 50, 1, false, false, 0);
        TrainingResolver careful = new DeviceWork().masked();
        TrainingResolver.Told open = told(settings, "model", "logistic");
        assertThat(new DeviceWork().resolve(own, open).admission().masking().hides()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> careful.resolve(own, open))
                .withMessage(
                        "the job asks for contributions that are not masked, but this device has"
                                + " --secure-sum");
        TrainingResolver.Told hidden = told(settings, "secure-sum", "true");
        assertThat(careful.resolve(own, hidden).admission().masking().hides()).isTrue();
        assertThat(careful.pulls(hidden)).isFalse();
    }

    private static TrainingResolver.Told told(Settings settings, String option, String value) {
        Map<String, GivenSetting> given =
                Map.of(
                        "devices",
                        given("4"),
                        "per-round",
                        given("4"),
                        "partition",
                        given("iid"),
                        "weighting",
                        given("equal"),
                        "bootstrap-servers",
                        given("127.0.0.1:9"),
                        option,
                        given(value));
        return new TrainingResolver.Told(
                4, settings, DeviceWork.told(FederationConfig.SETTINGS.read(given)));
    }

    private static GivenSetting given(String value) {
        return new GivenSetting(List.of(value), "--option");
    }

    @Test
    void overKafkaARunHasOneSampling() {
        CommandLineRun run = levee("federate", "--dry-run --bootstrap-servers 127.0.0.1:9");
        assertThat(run.out())
                .contains("sampling:\n  - uniform\n", "bootstrap-servers: 127.0.0.1:9\n");
        assertThat(run.code()).isZero();
    }
}
