package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Coordinates;
import dev.levee.operators.rounds.Slices;

/**
 * Coordinates that the process of a participant holds.
 *
 * @param model which parameters
 * @param contribution what of a contribution is made here and sent from here, in whole blocks
 */
public record LocalVectors(Coordinates model, Coordinates contribution) {
    /** The whole vector. */
    public static LocalVectors whole(Slices slices) {
        Coordinates all = Coordinates.all(slices.dimension());
        return new LocalVectors(all, all);
    }
}
