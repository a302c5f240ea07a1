package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Coordinates;
import dev.levee.operators.rounds.Slices;

/**
 * Coordinates that the process of a participant holds.
 *
 * @param model which parameters
 * @param contribution what of a contribution is made here and sent from here, in whole blocks
 * @param arrays where models are put together, perhaps with others that hold the same parameters
 */
public record LocalVectors(Coordinates model, Coordinates contribution, ModelArrays arrays) {
    /** The whole vector, in arrays of its own. */
    public static LocalVectors whole(Slices slices) {
        return whole(slices, new ModelArrays());
    }

    /** The whole vector. */
    public static LocalVectors whole(Slices slices, ModelArrays arrays) {
        Coordinates all = Coordinates.all(slices.dimension());
        return new LocalVectors(all, all, arrays);
    }
}
