package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.vector.Coordinates;
import dev.levee.operators.rounds.vector.Slices;

/**
 * The coordinates that a participant's process holds.
 *
 * @param model the coordinates of the model
 * @param contribution the coordinates of a contribution that are computed and sent here, in whole
 *     blocks
 * @param arrays the arrays for assembling models, possibly shared with others that hold the same
 *     parameters
 */
public record LocalVectors(Coordinates model, Coordinates contribution, ModelArrays arrays) {
    /** The whole vector, with arrays of its own. */
    public static LocalVectors whole(Slices slices) {
        return whole(slices, new ModelArrays());
    }

    /** The whole vector. */
    public static LocalVectors whole(Slices slices, ModelArrays arrays) {
        Coordinates all = Coordinates.all(slices.dimension());
        return new LocalVectors(all, all, arrays);
    }
}
