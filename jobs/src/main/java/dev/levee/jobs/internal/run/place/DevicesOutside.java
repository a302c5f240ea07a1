package dev.levee.jobs.internal.run.place;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.federated.FederationConfig;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Devices are separate processes that connect through Kafka. They have the settings of devices
 * inside a job, and are reached like outside workers.
 *
 * @param devices the settings of devices
 * @param place how they connect
 */
public record DevicesOutside(DevicesInJob devices, WorkersOutside place) implements WorkerPlace {
    /** Creates the place of a run's devices. */
    public DevicesOutside(FederationConfig federation, KafkaSetup setup) {
        this(new DevicesInJob(federation), new WorkersOutside(setup));
    }

    private KafkaEdge edge() {
        return place.setup().edge();
    }

    @Override
    public void build(StreamExecutionEnvironment environment, Training training, RunSink sink) {
        TrainingJob.serve(environment, training, edge(), sink);
    }

    @Override
    public Map<String, Object> describe(RunConfig config) {
        Map<String, Object> values = devices.describe(config);
        values.put("run", edge().topics().name());
        values.put("bootstrap-servers", edge().kafka().bootstrapServers());
        return values;
    }

    @Override
    public Map<String, Object> describe(RunConfig config, int index) {
        Map<String, Object> values = describe(config);
        values.put("sampling", devices.federation().devices().sampling().get(index));
        return values;
    }

    @Override
    public String name(Training training) {
        return devices.federation().devices().sampling().get(0);
    }

    @Override
    public String description(RunConfig config, List<Training> trainings) {
        return devices.description(config, trainings)
                + "\n"
                + place.whereabouts("Devices", "device")
                + devices.federation().pacing().warning(devices.federation().length().rounds());
    }

    @Override
    public String of(Training training) {
        return devices.of(training) + ", " + place.of(training);
    }

    @Override
    public int restarts() {
        return place.restarts();
    }

    @Override
    public Optional<String> trouble() {
        return place.trouble();
    }

    @Override
    public boolean survives() {
        return place.survives();
    }
}
