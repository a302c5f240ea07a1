package dev.levee.jobs.internal.cli;

import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.federated.DeviceWork;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.FederatedPlan;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.place.DevicesOutside;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Trains a model over many devices. */
@Command(
        name = "federate",
        description =
                "Train a model over many devices, in the job or, with --bootstrap-servers, as"
                        + " processes. Each round asks some of them, which train on their own data"
                        + " and send the change.",
        footer = {
            "",
            "All options except --overwrite and --new can also be set in the --config file, "
                    + "as in \"devices: 1000\"; the command line takes precedence.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        },
        abbreviateSynopsis = true)
final class FederateCommand extends RunCommand {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(
                    List.of(
                            FederationConfig.SETTINGS,
                            KafkaConfig.FEDERATING,
                            Deployment.FEDERATED));

    private static final String BROKERS = "bootstrap-servers";

    /** Options that apply only to devices outside the job. */
    private static final List<String> OUTSIDE_ONLY =
            Stream.concat(
                            Stream.of("most-samples"),
                            KafkaConfig.FEDERATING.entries().stream().map(each -> each.name()))
                    .toList();

    @Option(
            names = "--new",
            description =
                    "With --bootstrap-servers: start a new run even if versions have "
                            + "been published.")
    private boolean fresh;

    @Override
    SettingsOptions options() {
        return OPTIONS;
    }

    /**
     * The parsed options.
     *
     * @param kafka the topics of devices outside the job, null for devices in the job
     */
    private record Request(FederationConfig federation, Deployment deployment, KafkaConfig kafka) {}

    @Override
    Map<String, Object> resolved(Map<String, GivenSetting> given) {
        Request request = request(given);
        FederationResolver.check(request.federation());
        request.deployment().check();
        Map<String, Object> values =
                new LinkedHashMap<>(FederationConfig.SETTINGS.write(request.federation()));
        if (request.kafka() != null) {
            values.putAll(KafkaConfig.FEDERATING.write(request.kafka()));
        }
        values.putAll(Deployment.FEDERATED.write(request.deployment()));
        return values;
    }

    @Override
    RunPlan plan(Map<String, GivenSetting> given) {
        Request request = request(given);
        Clock clock = Clock.systemDefaultZone();
        RunPlan plan =
                FederatedPlan.of(
                        request.federation(),
                        request.deployment(),
                        Runtime.getRuntime().availableProcessors(),
                        clock);
        return request.kafka() == null
                ? plan
                : plan.with(new DevicesOutside(request.federation(), setup(request, plan, clock)));
    }

    private KafkaSetup setup(Request request, RunPlan plan, Clock clock) {
        KafkaConfig kafka = request.kafka();
        KafkaSetup.Request wanted =
                new KafkaSetup.Request(
                        plan.trainings().get(0),
                        kafka.keys(request.federation().devices().devices(), 1),
                        fresh,
                        request.deployment().resume() != null,
                        kafka.whoEvaluates(),
                        DeviceWork.told(request.federation()));
        return KafkaSetup.of(kafka.publisher(), kafka.topics(), kafka.plan(), wanted, clock);
    }

    private Request request(Map<String, GivenSetting> all) {
        Map<String, GivenSetting> given = checked(all);
        FederationConfig federation = FederationConfig.SETTINGS.read(given);
        Deployment deployment = Deployment.FEDERATED.read(given);
        if (given.containsKey(BROKERS) && deployment.audit() != null) {
            throw new IllegalArgumentException(
                    "--audit is for devices in the job: over Kafka, a run may continue after"
                            + " rounds that were not logged");
        }
        return new Request(federation, deployment, kafka(given, federation, deployment));
    }

    /**
     * Sets the defaults of runs over Kafka, such as a single sampling where the default compares
     * several.
     */
    private Map<String, GivenSetting> checked(Map<String, GivenSetting> given) {
        if (given.containsKey(BROKERS)) {
            Map<String, GivenSetting> one = new HashMap<>(given);
            FederationConfig federation = FederationConfig.SETTINGS.read(given);
            if (federation.devices().sampling().size() > 1) {
                one.putIfAbsent("sampling", new GivenSetting(List.of("uniform"), "--sampling"));
            }
            federation
                    .pacing()
                    .overKafka()
                    .forEach(
                            (name, text) ->
                                    one.putIfAbsent(
                                            name, new GivenSetting(List.of(text), "--" + name)));
            return one;
        }
        for (String each : OUTSIDE_ONLY) {
            if (given.containsKey(each)) {
                throw new IllegalArgumentException(
                        "--%s is for devices over Kafka: it needs --bootstrap-servers"
                                .formatted(each));
            }
        }
        if (fresh) {
            throw new IllegalArgumentException(
                    "--new is for devices over Kafka: it needs --bootstrap-servers");
        }
        return given;
    }

    /** The settings for devices over Kafka, null for devices in the job. */
    private KafkaConfig kafka(
            Map<String, GivenSetting> given, FederationConfig federation, Deployment deployment) {
        if (!given.containsKey(BROKERS)) {
            FederationResolver.checkInside(federation);
            return null;
        }
        KafkaConfig kafka = KafkaConfig.FEDERATING.read(given);
        kafka.check();
        FederationResolver.checkOutside(federation);
        if (federation.privacy().summed() && kafka.unsigned()) {
            throw new IllegalArgumentException(
                    "--secure-sum needs keys, from which devices derive their masks: leave "
                            + "--unsigned out");
        }
        if (fresh && deployment.resume() != null) {
            throw new IllegalArgumentException(
                    "--new and --resume exclude each other; give one of them");
        }
        return kafka;
    }
}
