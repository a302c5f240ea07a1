package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordType;
import dev.levee.operators.flink.internal.loop.EvenKeys;
import dev.levee.operators.flink.internal.runtime.operator.OperatorFactory;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.adversary.AttackParts;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * An operator on the stream of gradients between workers and parameter shards, keyed like the
 * stream.
 *
 * @param name its name in the job graph
 * @param uid its name in savepoints, within its run
 * @param blocks blocks of each server
 * @param shardKeys key of each shard, server by server; shards with the same key are in one subtask
 * @param maxParallelism the parallelism for which keys are chosen
 */
public record GradientStage(
        String name,
        String uid,
        String description,
        int blocks,
        int[] shardKeys,
        int maxParallelism,
        OperatorFactory<GradientBlock, Void, GradientBlock> operator) {
    static final String ADVERSARY = "adversary";
    static final String LIARS = "lying-servers";

    /** The stages of a training, in the order in which gradients pass them. */
    static List<GradientStage> of(LoopJob job) {
        List<GradientStage> stages = new ArrayList<>();
        AttackPlan plan = AttackPlan.of(job.training());
        if (plan.onTheWay()) {
            stages.add(
                    adversary(
                            "Adversary",
                            ADVERSARY,
                            plan,
                            job.slices(),
                            job.servers(),
                            job.maxParallelism(),
                            () -> -1));
        }
        return stages;
    }

    /** The stage that replaces messages of Byzantine servers; null if there are none. */
    static GradientStage liars(LoopJob job) {
        AttackPlan plan = AttackPlan.ofServers(job.training(), 0, job.run());
        return plan.onTheWay()
                ? adversary(
                        "Lying servers",
                        LIARS,
                        plan,
                        job.slices(),
                        job.servers(),
                        job.maxParallelism(),
                        () -> opened(job))
                : null;
    }

    private static long opened(LoopJob job) {
        return job.published(new BitSet(), new BitSet())
                .map(found -> job.version(found.version()))
                .orElse(-1L);
    }

    /** The adversary, keyed by the parts of the vector that its attack sees together. */
    public static GradientStage adversary(
            AttackPlan plan, Slices slices, int servers, int maxParallelism) {
        return adversary("Adversary", ADVERSARY, plan, slices, servers, maxParallelism, () -> -1);
    }

    private static GradientStage adversary(
            String name,
            String uid,
            AttackPlan plan,
            Slices slices,
            int servers,
            int maxParallelism,
            AdversaryOperator.Opened opened) {
        AttackParts parts = AttackParts.of(slices, plan.attack());
        int[] keys = EvenKeys.of(servers * parts.count(), maxParallelism);
        int[] shardKeys = new int[servers * slices.count()];
        Arrays.setAll(
                shardKeys,
                shard ->
                        keys[
                                shard / slices.count() * parts.count()
                                        + parts.of(shard % slices.count())]);
        return new GradientStage(
                name,
                uid,
                plan.suspects().attackers()
                        + " attackers send "
                        + plan.attack().name()
                        + (parts.whole() ? "; sees whole" : "; keyed by block, sees")
                        + " honest rows first",
                slices.count(),
                shardKeys,
                maxParallelism,
                new OperatorFactory<>(
                        AdversaryOperator.class,
                        parameters ->
                                new AdversaryOperator(
                                        parameters, uid, plan, parts, servers, keys, opened)));
    }

    /**
     * Adds this stage after a stream of gradients.
     *
     * @param type type of the gradients that leave it
     */
    public SingleOutputStreamOperator<GradientBlock> apply(
            DataStream<GradientBlock> gradients, RecordType<GradientBlock> type) {
        int[] keys = shardKeys;
        int count = blocks;
        // A block that does not exist gets the key of an existing one; the shard refuses it.
        KeyedStream<GradientBlock, Integer> keyed =
                gradients.keyBy(
                        gradient -> keys[Math.floorMod(gradient.shard().index(count), keys.length)],
                        Types.INT);
        SingleOutputStreamOperator<GradientBlock> staged =
                LoopGraph.aligned(keyed)
                        .transform(name, type, operator)
                        .setMaxParallelism(maxParallelism);
        staged.setDescription(description);
        return staged;
    }
}
