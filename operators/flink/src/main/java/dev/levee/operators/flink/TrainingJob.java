package dev.levee.operators.flink;

import dev.levee.connectors.kafka.KafkaEdge;
import dev.levee.operators.flink.internal.runtime.LoopGraph;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Training;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Assembles the round loop. */
public final class TrainingJob {
    /** Largest parallelism a loop can be rescaled to; part of its savepoints. */
    public static final int MAX_PARALLELISM = 256;

    private TrainingJob() {}

    /**
     * Adds one training run to a job. The environment's parallelism is the loop's; checkpoints are
     * the caller's choice. Sets what the loop relies on: maximum parallelism, object reuse, no
     * buffer timeout, and aligned checkpoints.
     *
     * @param sink receives the results inside the job
     * @return gradients that came after their round had closed, for whoever wants to see them
     */
    public static DataStream<GradientBlock> build(
            StreamExecutionEnvironment environment, Training training, RunSink sink) {
        prepare(environment);
        return LoopGraph.add(environment, training, sink);
    }

    /**
     * Adds one training run to a job, as {@link #build} does, for who wants the model in the job or
     * in the client.
     *
     * @return one record when the run is over: the final flat parameter vector
     */
    public static DataStream<float[]> model(
            StreamExecutionEnvironment environment, Training training) {
        prepare(environment);
        return LoopGraph.addAndReturn(environment, training);
    }

    /**
     * Adds the server's side of one training run to a job, as {@link #build} does; its workers are
     * outside, behind Kafka. The training's data set is used to evaluate only, and what is said of
     * partition, attack and attackers is the workers' own business.
     *
     * @param sink receives the results inside the job
     * @return gradients that came after their round had closed
     */
    public static DataStream<GradientBlock> serve(
            StreamExecutionEnvironment environment,
            Training training,
            KafkaEdge edge,
            RunSink sink) {
        prepare(environment);
        return LoopGraph.addOverKafka(environment, training, edge, sink);
    }

    private static void prepare(StreamExecutionEnvironment environment) {
        environment.setMaxParallelism(MAX_PARALLELISM);
        environment.setBufferTimeout(0);
        environment.getConfig().enableObjectReuse();
        // Where a barrier overtakes records, what a shard says after its snapshot can come by a
        // head
        // that has not been reached yet, and be part of what a worker remembers: the shard would go
        // on from the round before, and the worker would never answer that round again.
        environment.getCheckpointConfig().enableUnalignedCheckpoints(false);
    }
}
