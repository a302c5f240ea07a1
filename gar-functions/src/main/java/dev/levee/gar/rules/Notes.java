package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Step;

import java.util.Arrays;

/**
 * One number for each row that a rule remembers from one look to the next: the row's weight of the
 * origin, which adds nothing to it. So a decision needs no memory besides the map, and the map may
 * stand behind pre-aggregations.
 */
final class Notes {
    private Notes() {}

    /**
     * A look at the rows as they are, that remembers.
     *
     * @param map the rows, without notes
     * @param notes a finite number for each of them
     * @param look what to measure; its only reference is the origin
     */
    static Step.LookAgain lookAgain(RowMap map, double[] notes, Look look) {
        if (look.references().size() != 1 || look.references().get(0) != Reference.ORIGIN) {
            throw new IllegalArgumentException("notes need a look whose reference is the origin");
        }
        double[][] weights = new double[map.outputs()][];
        for (int o = 0; o < weights.length; o++) {
            weights[o] = Arrays.copyOf(map.weights()[o], map.points() + 1);
            weights[o][map.points()] = notes[o];
        }
        return new Step.LookAgain(new RowMap(weights), look);
    }

    /** What was remembered of the rows of a look. */
    static double[] of(RowMap mixed) {
        return Arrays.stream(mixed.weights()).mapToDouble(row -> row[row.length - 1]).toArray();
    }

    /** The rows of a look, without notes. */
    static RowMap rows(RowMap mixed) {
        double[][] weights = new double[mixed.outputs()][];
        for (int o = 0; o < weights.length; o++) {
            weights[o] = Arrays.copyOf(mixed.weights()[o], mixed.points() - 1);
        }
        return new RowMap(weights);
    }
}
