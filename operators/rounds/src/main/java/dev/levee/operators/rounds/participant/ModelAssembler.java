package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Coordinates;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;

import java.util.BitSet;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Assembles a model, or the held part of it, from its blocks. Keeps the versions that may still
 * become complete, and no others. Blocks of one shard come in the order of their versions.
 */
public final class ModelAssembler {
    /**
     * A version all of whose blocks have come.
     *
     * @param parameters those that are held: of a whole model, all of them; never written to, and
     *     perhaps read by others
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
     * More versions than this are never open where only the newest is worked at: with as many, the
     * oldest cannot become complete in time.
     */
    private static final int OPEN = 3;

    private final Slices slices;
    private final Coordinates held;
    private final BitSet awaited;
    private final LongFunction<ModelArrays.Filling> arrays;
    private final TreeMap<Long, Partial> open = new TreeMap<>();
    private long newest = -1;

    /** An assembler for vectors cut that way. */
    public ModelAssembler(Slices slices) {
        this(slices, Coordinates.all(slices.dimension()));
    }

    /** An assembler of some coordinates, or one that says which versions are complete. */
    ModelAssembler(Slices slices, Coordinates held) {
        this(
                slices,
                held,
                Coordinates.all(slices.dimension()).blocks(slices),
                version -> new ModelArrays.Filling(held.size()));
    }

    /** An assembler of a server's models that fills the same arrays as others of its process. */
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

    /** An assembler that waits for the blocks of these coordinates alone. */
    public static ModelAssembler of(Slices slices, Coordinates held) {
        return new ModelAssembler(
                slices, held, held.blocks(slices), version -> new ModelArrays.Filling(held.size()));
    }

    /**
     * Adds a block; returns the model if that made it complete and no newer one has been, else
     * null.
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
