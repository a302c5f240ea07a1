package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.Frozen;

import java.util.Arrays;

/** An event at a moment of virtual time. */
sealed interface Event {
    /** The channels of the dataflow, whose records a checkpoint contains in addition to states. */
    enum Route {
        /** From the head of a block's lane to a subtask of the workers. */
        MODEL,
        /** From the coordinator, over the loop edge, to a subtask of the workers. */
        PERMISSION,
        /** From the head of a block's lane to its shard. */
        INSTRUCTION,
        /**
         * From the head of a block's lane to the shard of a block, or to the stage of Byzantine
         * servers before it.
         */
        TOLD,
        /** From a subtask of the workers to the adversary of a part. */
        GRADIENT,
        /** From the combiner of a host to the aggregator of another, or its own. */
        SUM,
        /** From the adversary to the shard of a block. */
        FORGED,
        /** From the shard of a block to the coordinator. */
        REPORT,
        /** From a subtask of the workers to the coordinator. */
        EFFORT,
        /** From the head of a block's lane to a subtask of the oracle. */
        ANSWERED,
        /** From the shard of a block to a subtask of the oracle. */
        ACCEPTED,
        /** From a subtask of the oracle to the coordinator. */
        SCORE,
        /** From the shard of a block to the replica. */
        REPLICA
    }

    /**
     * A record reaches the end of a channel.
     *
     * @param server the server whose loop it belongs to
     * @param hash hash of its values when it was sent
     */
    record Delivery(Route route, int server, int from, int to, Object message, int hash)
            implements Event {
        static Delivery of(Route route, int server, int from, int to, Object message) {
            return new Delivery(route, server, from, to, message, hash(message));
        }

        int channel() {
            return (route.ordinal() << 24) | (from << 12) | to;
        }

        /** The record after a checkpoint: encoded and decoded. */
        Object reread() {
            return switch (route) {
                case MODEL, PERMISSION, INSTRUCTION, ANSWERED ->
                        reread(Codecs.LOOP, LoopMessage.class);
                case TOLD, GRADIENT, SUM, FORGED, ACCEPTED ->
                        reread(Codecs.GRADIENT, GradientBlock.class);
                case REPORT, EFFORT, SCORE -> reread(Codecs.REPORT, ShardReport.class);
                case REPLICA -> reread(Codecs.REPLICA_UPDATE, ReplicaUpdate.class);
            };
        }

        private <T> T reread(Codec<T> codec, Class<T> type) {
            return new Frozen<>(codec, type.cast(message)).thaw();
        }

        boolean intact() {
            return hash == hash(message);
        }

        private static int hash(Object message) {
            if (message instanceof GradientBlock gradient) {
                return Arrays.hashCode(gradient.values());
            }
            return message instanceof ModelBlock model ? Arrays.hashCode(model.values()) : 0;
        }
    }

    /** The head takes the message of a lane. */
    record Pump(boolean model, ShardId shard) implements Event {}

    /** A computation ends. */
    record Computed(int subtask, Work.Task task) implements Event {}

    /** An oracle has a score. */
    record Scored(int subtask, Scoring.Task task) implements Event {}

    /** Participants have waited long enough for a server. */
    record Alarm(int group, int subtask, long ticket) implements Event {}

    /**
     * A combiner or an aggregator has waited long enough.
     *
     * @param index its index; combiners come first
     */
    record Linger(int index) implements Event {}

    /** A coordinator's timer. */
    record Tick(int server) implements Event {}
}
