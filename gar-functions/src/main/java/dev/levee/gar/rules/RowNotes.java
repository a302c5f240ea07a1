package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.Collections;

/**
 * Notes are numbers per row that a rule keeps from one look to the next. They are stored as the
 * row's weights of the origin, which do not change the row. Decisions therefore need no state
 * besides the map, and the map may follow pre-aggregations.
 */
final class RowNotes {
    private RowNotes() {}

    /**
     * Looks again at the rows of a map, and stores notes.
     *
     * @param map the rows, without notes
     * @param look what to measure; its references are the origin, once per kind of note
     * @param notes for each kind, a finite number per row
     */
    static Step.LookAgain lookAgain(RowMap map, Look look, double[]... notes) {
        if (!look.references().equals(Collections.nCopies(notes.length, Reference.ORIGIN))) {
            throw new IllegalArgumentException(
                    "notes need a look whose references are the origin, once for each");
        }
        double[][] weights = new double[map.outputs()][];
        for (int o = 0; o < weights.length; o++) {
            weights[o] = Arrays.copyOf(map.weights()[o], map.points() + notes.length);
            for (int k = 0; k < notes.length; k++) {
                weights[o][map.points() + k] = notes[k][o];
            }
        }
        return new Step.LookAgain(new RowMap(weights), look);
    }

    /** The notes of a look that stored one kind of note. */
    static double[] of(RowMap mixed) {
        return of(mixed, 0, 1);
    }

    /** The notes of one kind, from a look that stored {@code kinds} kinds of notes. */
    static double[] of(RowMap mixed, int kind, int kinds) {
        return Arrays.stream(mixed.weights())
                .mapToDouble(row -> row[row.length - kinds + kind])
                .toArray();
    }

    /** The rows of a look that stored one kind of note, without the notes. */
    static RowMap rows(RowMap mixed) {
        return rows(mixed, 1);
    }

    /** The rows of a look that stored {@code kinds} kinds of notes, without the notes. */
    static RowMap rows(RowMap mixed, int kinds) {
        double[][] weights = new double[mixed.outputs()][];
        for (int o = 0; o < weights.length; o++) {
            weights[o] = Arrays.copyOf(mixed.weights()[o], mixed.points() - kinds);
        }
        return new RowMap(weights);
    }
}
