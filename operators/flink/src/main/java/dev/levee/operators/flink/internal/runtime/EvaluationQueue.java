package dev.levee.operators.flink.internal.runtime;

import dev.levee.learners.FlatVector;
import dev.levee.operators.flink.internal.runtime.history.VectorStore;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** The queue of one parameter server's models to evaluate; only the newest one waits. */
final class EvaluationQueue implements AutoCloseable {
    /**
     * Most versions that are open at a time; with more, the oldest could not become complete in
     * time.
     */
    private static final int OPEN = 3;

    /** A version with the blocks that have arrived. */
    final class Version {
        private final ModelBlock first;
        private final VectorStore.Vector values;
        private final BitSet blocks = new BitSet();

        private Version(ModelBlock first) {
            this.first = first;
            values = store.create(slices.dimension());
        }

        long number() {
            return first.round();
        }

        FlatVector parameters() {
            return values.read();
        }

        private boolean add(ModelBlock block) {
            int index = block.header().block();
            values.put(slices.offset(index), block.values());
            blocks.set(index);
            return blocks.cardinality() == slices.count();
        }

        private List<LoopMessage> read() {
            List<LoopMessage> all = new ArrayList<>();
            for (int block : blocks.stream().toArray()) {
                all.add(
                        new ModelBlock(
                                first.header().model(new ShardId(first.shard().server(), block)),
                                first.settings(),
                                parameters().range(slices.offset(block), slices.length(block))));
            }
            return all;
        }
    }

    private final Slices slices;
    private final VectorStore store;
    private final TreeMap<Long, Version> open = new TreeMap<>();
    private Version waiting;
    private Version taken;
    private long newest = -1;

    /** Creates an empty queue. */
    EvaluationQueue(Slices slices, VectorStore store) {
        this.slices = slices;
        this.store = store;
    }

    /** Adds a block; returns true if its model replaced a waiting one. */
    boolean add(ModelBlock block) {
        if (block.round() <= newest) {
            return false;
        }
        Version version = open.computeIfAbsent(block.round(), r -> new Version(block));
        if (!version.add(block)) {
            if (open.size() > OPEN) {
                open.pollFirstEntry().getValue().values.close();
            }
            return false;
        }
        newest = version.number();
        open.remove(newest);
        open.headMap(newest).values().forEach(older -> older.values.close());
        open.headMap(newest).clear();
        boolean overtakes = waiting != null;
        if (overtakes) {
            waiting.values.close();
        }
        waiting = version;
        return overtakes;
    }

    /** True if a model waits. */
    boolean waits() {
        return waiting != null;
    }

    /** Takes the waiting model; it is kept until it is {@link #evaluated}. */
    Version take() {
        taken = waiting;
        waiting = null;
        return taken;
    }

    /** Removes the version that was taken. */
    void evaluated() {
        taken.values.close();
        taken = null;
    }

    /**
     * The blocks of all models that are not evaluated yet, for a checkpoint; empty if models are
     * too large for memory. A run that continues from such a checkpoint evaluates only later
     * models; the last model always arrives again.
     */
    List<LoopMessage> blocks() {
        List<LoopMessage> all = new ArrayList<>();
        if (store.inMemory()) {
            versions().forEach(version -> all.addAll(version.read()));
        }
        return all;
    }

    private List<Version> versions() {
        List<Version> all = new ArrayList<>(open.values());
        if (waiting != null) {
            all.add(0, waiting);
        }
        if (taken != null) {
            all.add(0, taken);
        }
        return all;
    }

    /** Removes all models; no evaluation may be running. */
    @Override
    public void close() {
        versions().forEach(version -> version.values.close());
    }
}
