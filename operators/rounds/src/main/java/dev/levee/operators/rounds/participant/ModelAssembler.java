package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

import java.util.BitSet;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Assembles a model, or the held part of it, from its blocks. Keeps the versions that may still
 * become complete, and no others. Blocks of one shard arrive in the order of their versions.
 */
public final class ModelAssembler {
    /**
     * A complete version of a model.
     *
     * @param parameters the held parameters; never written to, because others may read them
     */
    public record Assembled(long version, Settings settings, float[] parameters) {}

    private static final class Partial {
        private final ModelArrays.Filling filling;
        private final BitSet blocks = new BitSet();

        private Partial(ModelArrays.Filling filling) {
            this.filling = filling;
        }
    }

    /**
     * Most versions that are open at a time. With more, the oldest could not become complete in
     * time, as only the newest is used.
     */
    private static final int OPEN = 3;

    private final Slices slices;
    private final Coordinates held;
    private final BitSet awaited;
    private final LongFunction<ModelArrays.Filling> arrays;
    private final TreeMap<Long, Partial> open = new TreeMap<>();
    private long newest = -1;

    /** Creates an assembler of whole models. */
    public ModelAssembler(Slices slices) {
        this(slices, Coordinates.all(slices.dimension()));
    }

    /**
     * Creates an assembler that waits for all blocks and keeps the held coordinates, possibly none.
     */
    ModelAssembler(Slices slices, Coordinates held) {
        this(
                slices,
                held,
                Coordinates.all(slices.dimension()).blocks(slices),
                version -> new ModelArrays.Filling(held.size()));
    }

    /** Creates an assembler of a server's models that shares arrays with others of its process. */
    ModelAssembler(Slices slices, Coordinates held, ModelArrays arrays, int server) {
        this(
                slices,
                held,
                Coordinates.all(slices.dimension()).blocks(slices),
                version -> arrays.of(server, version, held.size()));
    }

    private ModelAssembler(
            Slices slices,
            Coordinates held,
            BitSet awaited,
            LongFunction<ModelArrays.Filling> arrays) {
        this.slices = slices;
        this.held = held;
        this.awaited = awaited;
        this.arrays = arrays;
    }

    /** Creates an assembler that waits only for the blocks of the held coordinates. */
    public static ModelAssembler of(Slices slices, Coordinates held) {
        return new ModelAssembler(
                slices, held, held.blocks(slices), version -> new ModelArrays.Filling(held.size()));
    }

    /**
     * Adds a block. Returns the model if it is now complete and newer than all before, else null.
     */
    public Assembled add(ModelBlock block) {
        long version = block.header().round();
        if (version <= newest || !awaited.get(block.header().block())) {
            return null;
        }
        Partial partial = open.computeIfAbsent(version, v -> new Partial(arrays.apply(v)));
        if (open.size() > OPEN && !block.pulled()) {
            open.pollFirstEntry();
        }
        int index = block.header().block();
        if (partial.blocks.get(index)) {
            return null;
        }
        float[] parameters = partial.filling.take(block, slices.offset(index), held);
        partial.blocks.set(index);
        if (partial.blocks.cardinality() < awaited.cardinality()) {
            return null;
        }
        newest = version;
        partial.filling.complete();
        open.headMap(version, true).clear();
        return new Assembled(version, block.settings(), parameters);
    }
}
