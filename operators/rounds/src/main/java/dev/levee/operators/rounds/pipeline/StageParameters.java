package dev.levee.operators.rounds.pipeline;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.participant.ModelAssembler;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Parameters of the stages that live in one place, from the blocks that the server offers: of each
 * stage those of its layers, in the newest version.
 */
final class StageParameters {
    private static final class Slice {
        private final ModelAssembler assembler;
        private ModelAssembler.Assembled newest;

        private Slice(ModelAssembler assembler) {
            this.assembler = assembler;
        }

        /** The round of a version has closed when a newer one comes. */
        private void forgetBefore(long version) {
            if (newest != null && newest.version() < version) {
                newest = null;
            }
        }
    }

    private final Map<Integer, Slice> slices = new HashMap<>();

    /**
     * None so far.
     *
     * @param here stages that live here
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

    /** Takes a block; returns the stages that have a new version now. */
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
     * A stage's parameters of a version, null if they have not come. Where a newer version has
     * come, those: the round of that version has closed, so what is made of it counts for nothing.
     */
    float[] of(int stage, long version) {
        ModelAssembler.Assembled newest = slices.get(stage).newest;
        return newest == null || newest.version() < version ? null : newest.parameters();
    }
}
