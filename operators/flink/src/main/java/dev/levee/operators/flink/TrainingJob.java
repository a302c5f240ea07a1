package dev.levee.operators.flink;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.operators.flink.internal.runtime.LoopGraph;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.Training;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Adds the round loop to a job. A job can have several loops and other operators: a loop sets its
 * requirements (maximum parallelism, no buffer timeout, aligned barriers) on its own operators and
 * edges, and does not change the environment.
 */
public final class TrainingJob {
    /** Largest parallelism to which a loop can be rescaled; part of its savepoints. */
    public static final int MAX_PARALLELISM = Elasticity.MOST_WORKERS;

    private TrainingJob() {}

    /**
     * Adds one training run to a job. The environment's parallelism is the loop's; checkpoints are
     * the caller's choice.
     *
     * @param sink receives the results inside the job
     * @return gradients that arrived after their round had closed
     * @throws IllegalArgumentException if the job already has a training with this run id
     */
    public static DataStream<GradientBlock> build(
            StreamExecutionEnvironment environment, Training training, RunSink sink) {
        return LoopGraph.inProcess(environment, training, MAX_PARALLELISM).add(sink);
    }

    /**
     * Adds one training run to a job, as {@link #build} does, for callers that need the model in
     * the job or in the client.
     *
     * @return the final flat parameter vector at the end of the run; with several servers, one for
     *     each, in order
     */
    public static DataStream<float[]> model(
            StreamExecutionEnvironment environment, Training training) {
        return LoopGraph.inProcess(environment, training, MAX_PARALLELISM).addAndReturn();
    }

    /**
     * Adds the server's side of one training run to a job, as {@link #build} does; its workers run
     * outside the job and communicate through Kafka. The training's data set is used only for
     * evaluation; its partition and attack are ignored, because workers have their own.
     *
     * @param sink receives the results inside the job
     * @return gradients that arrived after their round had closed
     * @throws IllegalArgumentException if the training has several servers, or the job already has
     *     a training with this run id
     */
    public static DataStream<GradientBlock> serve(
            StreamExecutionEnvironment environment,
            Training training,
            KafkaEdge edge,
            RunSink sink) {
        return LoopGraph.overKafka(environment, training, edge, MAX_PARALLELISM).add(sink);
    }
}
