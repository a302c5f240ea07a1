package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.flink.internal.runtime.replica.ReplicaOperator;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.ReplicaUpdate;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** The replica's part of the job graph. */
final class ReplicaGraph {
    private ReplicaGraph() {}

    /**
     * Adds the replica after the shards, if there is one; returns all reports to the coordinator.
     */
    static DataStream<ShardReport> behind(
            LoopGraph graph, SingleOutputStreamOperator<ShardReport> shards) {
        LoopJob job = graph.job();
        if (job.training().topology().standby() == null) {
            return shards;
        }
        SingleOutputStreamOperator<ShardReport> replica =
                LoopGraph.aligned(
                                shards.getSideOutput(ShardOperator.REPLICATED)
                                        .<Integer>partitionCustom(
                                                (subtask, subtasks) -> subtask,
                                                update -> update.to()))
                        .transform(
                                "Replica",
                                RecordKind.REPORT.asType(ShardReport.class),
                                new OperatorFactory<ReplicaUpdate, Void, ShardReport>(
                                        ReplicaOperator.class,
                                        parameters ->
                                                new ReplicaOperator(
                                                        parameters,
                                                        job.run(),
                                                        job.training(),
                                                        job.slices())));
        graph.besideHead(replica);
        graph.own(
                replica,
                "replica",
                "A second server, at most "
                        + job.training().topology().standby().distance()
                        + " from the first; takes over if the first is lost");
        return shards.union(replica);
    }
}
