package dev.levee.operators;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Assembles the round loop. */
public final class TrainingJob {
    private TrainingJob() {}

    /**
     * Adds one training run to a job. The environment's parallelism is the loop's; checkpoints are
     * the caller's choice.
     *
     * @param sink receives the results inside the job
     */
    public static void build(
            StreamExecutionEnvironment environment, Training training, RunSink sink) {
        throw new UnsupportedOperationException(environment.toString() + training + sink);
    }
}
