package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;

import java.util.BitSet;
import java.util.TreeMap;

/**
 * Puts the blocks of a model together. Keeps the versions that may still become complete, and no
 * others. Blocks of one shard come in the order of their versions.
 */
public final class ModelAssembler {
    /** A whole model. */
    public record Assembled(long version, Settings settings, float[] parameters) {}

    private static final class Partial {
        private final float[] parameters;
        private final BitSet blocks = new BitSet();

        private Partial(int dimension) {
            parameters = new float[dimension];
        }
    }

    /**
     * More versions than this are never open where only the newest is worked at: with as many, the
     * oldest cannot become complete in time.
     */
    private static final int OPEN = 3;

    private final Slices slices;
    private final TreeMap<Long, Partial> open = new TreeMap<>();
    private long newest = -1;

    /** An assembler for vectors cut that way. */
    public ModelAssembler(Slices slices) {
        this.slices = slices;
    }

    /**
     * Adds a block; returns the model if that made it complete and no newer one has been, else
     * null.
     */
    public Assembled add(ModelBlock block) {
        long version = block.header().round();
        if (version <= newest) {
            return null;
        }
        Partial partial = open.computeIfAbsent(version, v -> new Partial(slices.dimension()));
        if (open.size() > OPEN && block.settings().pulls() == null) {
            open.pollFirstEntry();
        }
        int index = block.header().block();
        if (partial.blocks.get(index)) {
            return null;
        }
        System.arraycopy(
                block.values(), 0, partial.parameters, slices.offset(index), slices.length(index));
        partial.blocks.set(index);
        if (partial.blocks.cardinality() < slices.count()) {
            return null;
        }
        newest = version;
        open.headMap(version, true).clear();
        return new Assembled(version, block.settings(), partial.parameters);
    }
}
