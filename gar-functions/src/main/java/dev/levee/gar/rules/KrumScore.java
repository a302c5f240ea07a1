package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Looked;

import java.io.Serializable;
import java.util.Arrays;

/**
 * What Krum judges a row by: the sum of its squared distances to its nearest others (Blanchard, El
 * Mhamdi, Guerraoui, Stainer, "Machine Learning with Adversaries", NeurIPS 2017, section 4).
 *
 * @param oneMore whether n − f − 1 others count instead of the paper's n − f − 2, as in ByzFL
 * @param plain whether distances are summed instead of their squares, as in Garfield
 */
public record KrumScore(boolean oneMore, boolean plain) implements Serializable {
    /** The paper's. */
    public static final KrumScore PAPER = new KrumScore(false, false);

    /** Reads the parameters {@code neighbours} and {@code plain}. */
    public static KrumScore of(Arguments arguments) {
        String neighbours = arguments.word("neighbours", "n-f-2");
        if (!neighbours.equals("n-f-2") && !neighbours.equals("n-f-1")) {
            throw new IllegalArgumentException(
                    arguments.name() + ": neighbours must be n-f-2 or n-f-1, got " + neighbours);
        }
        return new KrumScore(neighbours.equals("n-f-1"), arguments.flag("plain"));
    }

    /** A rule's name with these parameters behind those it has. */
    String name(String rule, String parameters) {
        String all = parameters;
        if (oneMore) {
            all += (all.isEmpty() ? "" : ",") + "neighbours=n-f-1";
        }
        if (plain) {
            all += (all.isEmpty() ? "" : ",") + "plain";
        }
        return all.isEmpty() ? rule : rule + "(" + all + ")";
    }

    /** How many others count: at least 1, where proven faults leave few rows. */
    int neighbours(int rows, int f) {
        return Math.min(rows - 1, Math.max(1, rows - f - (oneMore ? 1 : 2)));
    }

    /** The scores of all rows; a distance that is not a number counts as infinite. */
    double[] scores(Looked looked, int rows, int f) {
        int neighbours = neighbours(rows, f);
        double[] scores = new double[rows];
        double[] distances = new double[rows - 1];
        for (int i = 0; i < rows; i++) {
            int others = 0;
            for (int j = 0; j < rows; j++) {
                if (j != i) {
                    double squared = Ranking.worst(looked.squaredDistance(i, j));
                    distances[others++] = plain ? Math.sqrt(squared) : squared;
                }
            }
            Arrays.sort(distances);
            for (int k = 0; k < neighbours; k++) {
                scores[i] += distances[k];
            }
        }
        return scores;
    }
}
