package dev.levee.operators.rounds.pipeline;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ModelAssembler;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The newest parameters of one process's stages, assembled from the blocks that the server offers.
 */
final class StageParameters {
    private static final class Slice {
        private final ModelAssembler assembler;
        private ModelAssembler.Assembled newest;

        private Slice(ModelAssembler assembler) {
            this.assembler = assembler;
        }

        /** Forgets older versions: their rounds have closed when a newer version arrives. */
        private void forgetBefore(long version) {
            if (newest != null && newest.version() < version) {
                newest = null;
            }
        }
    }

    private final Map<Integer, Slice> slices = new HashMap<>();

    /**
     * Creates an empty store.
     *
     * @param here local stages
     */
    StageParameters(StageShares shares, BitSet here) {
        here.stream()
                .forEach(
                        stage ->
                                slices.put(
                                        stage,
                                        new Slice(
                                                ModelAssembler.of(
                                                        shares.slices(),
                                                        shares.of(stage).held()))));
    }

    /** Adds a block; returns the stages that now have a new version. */
    BitSet add(ModelBlock block) {
        BitSet complete = new BitSet();
        slices.forEach(
                (stage, slice) -> {
                    slice.forgetBefore(block.header().round());
                    ModelAssembler.Assembled assembled = slice.assembler.add(block);
                    if (assembled != null) {
                        slice.newest = assembled;
                        complete.set(stage);
                    }
                });
        return complete;
    }

    /**
     * A stage's parameters of a version, null if they have not arrived. Returns newer parameters if
     * there are any: the requested version's round has closed, so its result will not be used.
     */
    float[] of(int stage, long version) {
        ModelAssembler.Assembled newest = slices.get(stage).newest;
        return newest == null || newest.version() < version ? null : newest.parameters();
    }
}
