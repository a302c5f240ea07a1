package dev.levee.jobs.internal.run;

import dev.levee.federated.Federation;
import dev.levee.federated.PartialSync;
import dev.levee.jobs.internal.config.FederationConfig;
import dev.levee.jobs.internal.config.FederationResolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.report.Numbers;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.RunSink;
import dev.levee.operators.rounds.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Workers are devices, of which each round asks some, and which are operators of the job.
 *
 * @param federation what they do
 */
record DevicesInJob(FederationConfig federation) implements WorkerPlace {
    private static final int RESTARTS = 10;

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
        values.put("sampling", federation.sampling().get(index));
        return values;
    }

    @Override
    public String name(Training training) {
        return Federation.sampling(training);
    }

    @Override
    public String description(RunConfig config, List<Training> trainings) {
        long floats =
                federation.slices() == null
                        ? Federation.floats(trainings.get(0), 0)
                        : trainings.get(0).model().layout().size();
        boolean pulled = federation.algorithm().asynchronous();
        int rows = pulled ? federation.buffer() : federation.perRound();
        double megabytes = share() * floats * Float.BYTES * rows / 1e6;
        return "Federating "
                + federation.model()
                + " on "
                + federation.dataset()
                + " with "
                + federation.algorithm().word()
                + ", "
                + String.join(" and ", federation.sampling())
                + ": "
                + federation.rounds()
                + (pulled
                        ? versions(rows)
                        : " rounds that ask %d of %d devices, each for "
                                .formatted(federation.perRound(), federation.devices()))
                + (federation.localSteps() != null
                        ? federation.localSteps() + " steps"
                        : federation.localEpochs() + " epochs")
                + "; a round moves "
                + Numbers.decimals(megabytes, 2)
                + " MB to devices and as much back, the run "
                + Numbers.decimals(2 * megabytes * federation.rounds(), 1)
                + " MB"
                + privacy();
    }

    private String versions(int rows) {
        return FederationConfig.WALL.equals(federation.speed())
                ? " versions, each of the first %d contributions of %d devices, each for "
                        .formatted(rows, federation.devices())
                : " versions, each of %d contributions, %d of %d devices at a time, each for "
                        .formatted(rows, federation.perRound(), federation.devices());
    }

    /** The share of the model that a round moves, on average. */
    private double share() {
        return federation.slices() == null
                ? 1
                : new PartialSync(
                                federation.slices(),
                                federation.resetEvery(),
                                federation.resetSlices())
                        .share();
    }

    /** How private the runs are when all rounds are done. */
    private String privacy() {
        StringBuilder text = new StringBuilder();
        List<OptionalDouble> epsilons = FederationResolver.epsilons(federation);
        for (int i = 0; i < epsilons.size(); i++) {
            if (epsilons.get(i).isPresent()) {
                text.append(text.isEmpty() ? "; privacy of a device: ε = " : ", ")
                        .append(Numbers.decimals(epsilons.get(i).getAsDouble(), 3))
                        .append(" (")
                        .append(federation.sampling().get(i))
                        .append(")");
            }
        }
        return text.isEmpty() ? "" : text + " at δ = " + federation.dpDelta();
    }

    @Override
    public String of(Training training) {
        return federation.algorithm().asynchronous()
                ? federation.buffer() + " contributions"
                : federation.perRound() + " in a round";
    }

    @Override
    public int restarts() {
        return RESTARTS;
    }

    @Override
    public boolean survives() {
        return false;
    }
}
