package dev.levee.jobs.internal.run.place;

import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the workers of a plan are, and how that changes its jobs and its output. */
public interface WorkerPlace {
    /** Adds a run to a job. */
    void build(StreamExecutionEnvironment environment, Training training, RunSink sink);

    /** The configuration by option, as summaries show it. */
    Map<String, Object> describe(RunConfig config);

    /** The configuration of one of several runs, by option. */
    default Map<String, Object> describe(RunConfig config, int index) {
        Map<String, Object> values = describe(config);
        values.put("aggregator", config.aggregator().get(index));
        return values;
    }

    /** The name of a run among those of one invocation. */
    default String name(Training training) {
        return training.rule().name();
    }

    /** Describes the runs in a line. */
    String description(RunConfig config, List<Training> trainings);

    /** The part of a job's name that describes its workers. */
    String of(Training training);

    /** Number of restarts before a job counts as failed. */
    default int restarts() {
        return 10;
    }

    /** The reason why a round waits for all workers, if it can be found. May take seconds. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** True if a job continues after a failure even without a checkpoint. */
    default boolean survives() {
        return false;
    }
}
