package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.LookResult;
import dev.levee.gar.internal.Order;

import java.io.Serializable;

/**
 * Krum's score of a row: the sum of squared distances to its nearest others (Blanchard, El Mhamdi,
 * Guerraoui, Stainer, "Machine Learning with Adversaries", NeurIPS 2017, section 4).
 *
 * @param oneMore whether n − f − 1 others count, as in ByzFL, instead of the paper's n − f − 2
 * @param summed the function of each distance that is summed
 */
public record KrumScore(boolean oneMore, Summed summed) implements Serializable {
    /** The function of each distance that is summed. */
    public enum Summed {
        /** Its square, as in the paper. */
        SQUARES,
        /** The distance itself, as in Garfield. */
        DISTANCES,
        /** The square of its square, as in Blades. */
        FOURTH_POWERS
    }

    /** The score of the paper: squares of distances to the n − f − 2 nearest others. */
    public static final KrumScore PAPER = new KrumScore(false, Summed.SQUARES);

    /** Reads the parameters {@code neighbours}, {@code plain} and {@code score}. */
    public static KrumScore of(Arguments arguments) {
        String neighbours = arguments.word("neighbours", "n-f-2");
        if (!neighbours.equals("n-f-2") && !neighbours.equals("n-f-1")) {
            throw new IllegalArgumentException(
                    arguments.name() + ": neighbours must be n-f-2 or n-f-1, got " + neighbours);
        }
        if (arguments.has("plain") && arguments.has("score")) {
            throw new IllegalArgumentException(
                    arguments.name() + " takes plain or score, not both");
        }
        String score = arguments.word("score", arguments.flag("plain") ? "plain" : "paper");
        Summed summed =
                switch (score) {
                    case "paper" -> Summed.SQUARES;
                    case "plain" -> Summed.DISTANCES;
                    case "blades" -> Summed.FOURTH_POWERS;
                    default ->
                            throw new IllegalArgumentException(
                                    "%s: score must be paper, plain or blades, got %s"
                                            .formatted(arguments.name(), score));
                };
        return new KrumScore(neighbours.equals("n-f-1"), summed);
    }

    /** A rule's name followed by these parameters. */
    String name(String rule, String parameters) {
        String all = parameters;
        if (oneMore) {
            all += (all.isEmpty() ? "" : ",") + "neighbours=n-f-1";
        }
        if (summed != Summed.SQUARES) {
            all +=
                    (all.isEmpty() ? "" : ",")
                            + (summed == Summed.DISTANCES ? "plain" : "score=blades");
        }
        return all.isEmpty() ? rule : rule + "(" + all + ")";
    }

    /** Number of neighbors that count: at least 1, even if proven faults leave few rows. */
    int neighbours(int rows, int f) {
        return Math.min(rows - 1, Math.max(1, rows - f - (oneMore ? 1 : 2)));
    }

    /** The scores of all rows; a distance that is not a number counts as infinite. */
    double[] scores(LookResult looked, int rows, int f) {
        int neighbours = neighbours(rows, f);
        double[] scores = new double[rows];
        double[] distances = new double[rows - 1];
        for (int i = 0; i < rows; i++) {
            int others = 0;
            for (int j = 0; j < rows; j++) {
                if (j != i) {
                    double squared = Ranking.worst(looked.squaredDistance(i, j));
                    distances[others++] =
                            switch (summed) {
                                case SQUARES -> squared;
                                case DISTANCES -> Math.sqrt(squared);
                                case FOURTH_POWERS -> squared * squared;
                            };
                }
            }
            scores[i] = Order.sumOfLeast(distances, neighbours);
        }
        return scores;
    }
}
