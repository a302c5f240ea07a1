package dev.levee.jobs.internal.run.place;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workers are separate processes that connect through Kafka.
 *
 * @param setup the run that they take part in
 */
public record WorkersOutside(KafkaSetup setup) implements WorkerPlace {
    @Override
    public void build(StreamExecutionEnvironment environment, Training training, RunSink sink) {
        TrainingJob.serve(environment, training, setup.edge(), sink);
    }

    @Override
    public Map<String, Object> describe(RunConfig config) {
        Map<String, Object> values = RunSettings.SERVED.write(config);
        if (config.initial() != null) {
            values.put("model", config.initial());
            values.put("dataset", "known only to workers");
        }
        if (setup.edge().evaluator().asked()) {
            values.put("evaluator", evaluator());
        }
        values.put("run", setup.edge().topics().name());
        values.put("bootstrap-servers", setup.edge().kafka().bootstrapServers());
        return values;
    }

    @Override
    public String description(RunConfig config, List<Training> trainings) {
        KafkaEdge edge = setup.edge();
        return "Serving "
                + trainings.get(0).model().name()
                + " with "
                + trainings.get(0).rule().name()
                + ": "
                + config.rounds()
                + " rounds, "
                + config.workers()
                + " "
                + whereabouts("workers", "worker")
                + servers(trainings.get(0).topology())
                + (edge.evaluator().asked()
                        ? "\nScores are reported by " + evaluator() + " (--evaluator)"
                        : "");
    }

    static String servers(Topology topology) {
        return topology.servers() == 1
                ? ""
                : "\n%1$d servers, %2$d of which may be Byzantine; workers %3$sneed --servers %1$d --byzantine-servers %2$d%4$s"
                        .formatted(
                                topology.servers(),
                                topology.exchange().byzantine(),
                                topology.separate()
                                        ? ""
                                        : "combine their models by %s and "
                                                .formatted(topology.exchange().rule().name()),
                                topology.separate() ? " --worker-models per-server" : "");
    }

    /**
     * Describes the brokers of the participants, and the version from which their run continues.
     *
     * @param participants what to call the participants
     * @param one what to call one participant
     */
    String whereabouts(String participants, String one) {
        KafkaEdge edge = setup.edge();
        return participants
                + " over Kafka at "
                + edge.kafka()
                + "; run "
                + edge.topics().name()
                + " "
                + (setup.version() < 0
                        ? "begins"
                        : "continues from version " + setup.version() + ", the newest published")
                + (edge.job() == null
                        ? "\nWithout keys (--unsigned): anyone who can write to %s can send as any %s"
                                .formatted(edge.topics().gradients(), one)
                        : "");
    }

    private String evaluator() {
        return KeyDirectory.name(setup.edge().evaluator().worker());
    }

    @Override
    public String of(Training training) {
        return "run " + setup.edge().topics().name() + " over Kafka";
    }

    /** Unlimited, because a broker may be unreachable for any length of time. */
    @Override
    public int restarts() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Optional<String> trouble() {
        return setup.edge().trouble();
    }

    @Override
    public boolean survives() {
        return true;
    }
}
