package dev.levee.connectors.kafka.job;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;

/** A record to publish: a part of a version, or a notice to the devices of its round. */
public sealed interface VersionPart {
    /** The version. */
    long version();

    /**
     * A block of the model, and the rest of its shard's published state.
     *
     * @param moments the optimizer's vectors
     * @param previous the last aggregate, null if zero or not needed
     */
    record Block(ModelBlock model, float[][] moments, float[] previous) implements VersionPart {
        @Override
        public long version() {
            return model.round();
        }
    }

    /**
     * A notice to the devices of its round in a secure sum, which is not part of the version
     * itself.
     */
    record Told(SumNotice notice) implements VersionPart {
        @Override
        public long version() {
            return notice.round();
        }
    }

    /** The state of a server's coordinator. */
    record Memory(int server, CoordinatorMemory memory) implements VersionPart {
        @Override
        public long version() {
            return memory.version();
        }
    }
}
