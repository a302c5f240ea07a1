package dev.levee.jobs.internal.run.place;

import dev.levee.federated.FederatedRun;
import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.jobs.internal.config.federated.FederationResolver;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Devices are operators of the job; each round asks some of them.
 *
 * @param federation settings of the federated run
 */
public record DevicesInJob(FederationConfig federation) implements WorkerPlace {
    private static final String PRIVACY =
            "; privacy of a device, compared with one that sends zeros: ε = ";

    @Override
    public void build(StreamExecutionEnvironment environment, Training training, RunSink sink) {
        TrainingJob.build(environment, training, sink);
    }

    @Override
    public Map<String, Object> describe(RunConfig config) {
        return FederationConfig.SETTINGS.write(federation);
    }

    @Override
    public Map<String, Object> describe(RunConfig config, int index) {
        Map<String, Object> values = describe(config);
        values.put("sampling", federation.devices().sampling().get(index));
        return values;
    }

    @Override
    public String name(Training training) {
        return FederatedRun.of(training).sampling();
    }

    @Override
    public String description(RunConfig config, List<Training> trainings) {
        int size = trainings.get(0).model().layout().size();
        long floats =
                federation.scope().slices() == null
                        ? FederatedRun.find(trainings.get(0)).map(run -> run.floats(0)).orElse(size)
                        : size;
        int rows = federation.pacing().rows(federation);
        double megabytes = federation.scope().share() * floats * Float.BYTES * rows / 1e6;
        double back =
                federation.scope().compress() == null
                        ? megabytes
                        : FederatedRun.of(trainings.get(0)).sentBytes(0) * rows / 1e6;
        long rounds = federation.length().rounds();
        return "Federating "
                + federation.data().model()
                + " on "
                + federation.data().dataset()
                + " with "
                + federation.algorithm().word()
                + ", "
                + String.join(" and ", federation.devices().sampling())
                + ": "
                + federation.pacing().rounds(federation)
                + ", each for "
                + federation.local().length()
                + "; a round moves "
                + Numbers.decimals(megabytes, 2)
                + " MB to devices and "
                + (back == megabytes ? "as much" : Numbers.decimals(back, 2) + " MB")
                + " back, the run "
                + Numbers.decimals((megabytes + back) * rounds, 1)
                + " MB"
                + privacy();
    }

    /** Describes the privacy of the runs after all rounds. */
    private String privacy() {
        StringBuilder text = new StringBuilder();
        long rounds = federation.length().rounds();
        List<Optional<PrivacyLoss>> losses = FederationResolver.privacyLosses(federation);
        for (int i = 0; i < losses.size(); i++) {
            if (losses.get(i).isPresent()) {
                text.append(text.isEmpty() ? PRIVACY : ", ")
                        .append(Numbers.decimals(losses.get(i).get().after(rounds), 3))
                        .append(" (")
                        .append(federation.devices().sampling().get(i))
                        .append(")");
            }
        }
        String noise = text.isEmpty() ? "" : text + " at δ = " + federation.privacy().dpDelta();
        return noise
                + federation
                        .privacy()
                        .plan(federation.devices().perRound())
                        .map(plan -> "; secure sum: " + plan)
                        .orElse("");
    }

    @Override
    public String of(Training training) {
        return federation.pacing().round(federation);
    }
}
