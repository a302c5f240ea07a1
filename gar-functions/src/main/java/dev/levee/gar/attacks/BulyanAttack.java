package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Round;
import dev.levee.gar.internal.IteratedKrum;

import java.util.Arrays;

/**
 * Sends mean(h) + γ on one coordinate or on all. A distance over all coordinates hides such a
 * deviation (El Mhamdi, Guerraoui, Rouault, "The Hidden Vulnerability of Distributed Learning in
 * Byzantium", ICML 2018, section 3). By default, γ is the largest value at which Bulyan's iterated
 * Krum selects the rows of all f attackers among its θ = n − 2f rows; n counts the honest rows seen
 * and the attackers. The search starts at the first of Γ, Γ/2, …, Γ/2⁶⁰ that is selected, with Γ =
 * 16·max_ij‖h_i − h_j‖/‖e‖ for the direction e, bisects 20 times toward its double, and subtracts
 * 2⁻¹⁰ for rounding. If no value is selected, γ = 0.
 *
 * @param gamma γ; NaN for the largest
 * @param coordinate the coordinate; −1 for all
 */
public record BulyanAttack(double gamma, int coordinate) implements WholeCollusion {
    private static final int HALVINGS = 60;
    private static final int BISECTIONS = 20;

    public BulyanAttack {
        if (Double.isInfinite(gamma)) {
            throw new IllegalArgumentException(
                    "bulyan-attack: gamma must be finite, got " + Arguments.text(gamma));
        }
    }

    /** Reads the arguments {@code gamma} and {@code coordinate}, a number from 0 or {@code all}. */
    public static BulyanAttack of(Arguments arguments) {
        boolean all = arguments.word("coordinate", "0").equals("all");
        return new BulyanAttack(
                arguments.number("gamma", Double.NaN), all ? -1 : arguments.index("coordinate", 0));
    }

    @Override
    public String name() {
        return "bulyan-attack("
                + (Double.isNaN(gamma) ? "" : "gamma=" + Arguments.text(gamma) + ",")
                + "coordinate="
                + (coordinate < 0 ? "all" : coordinate)
                + ")";
    }

    @Override
    public void checkLength(int length) {
        if (coordinate >= length) {
            throw new IllegalArgumentException(
                    "bulyan-attack: the coordinate must be below the rows' length, which is %s, got %s"
                            .formatted(length, coordinate));
        }
    }

    @Override
    public float[] row(HonestRows honest, Round round) {
        checkLength(honest.length());
        PerturbationLine line =
                new PerturbationLine(
                        honest,
                        coordinate < 0 ? Direction.all() : Direction.coordinate(coordinate));
        return line.at(Double.isNaN(gamma) ? largest(honest, line, round.f()) : gamma);
    }

    private static double largest(HonestRows rows, PerturbationLine line, int attackers) {
        MeasuredRows distances = MeasuredRows.ofDistances(rows);
        double low = 16 * Math.sqrt(distances.farthest() / line.square());
        for (int k = 0; !selected(line, distances, attackers, low); k++) {
            if (k == HALVINGS) {
                return 0;
            }
            low /= 2;
        }
        double high = 2 * low;
        for (int k = 0; k < BISECTIONS; k++) {
            double middle = (low + high) / 2;
            if (selected(line, distances, attackers, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return MeasuredRows.JUST_BELOW * low;
    }

    private static boolean selected(
            PerturbationLine line, MeasuredRows distances, int attackers, double gamma) {
        int honest = line.rows();
        int n = honest + attackers;
        double[][] squares = new double[n][n];
        for (int i = 0; i < honest; i++) {
            for (int j = 0; j < honest; j++) {
                squares[i][j] = distances.squaredDistance(i, j);
            }
            double away = line.squaredDistance(i, gamma);
            for (int j = honest; j < n; j++) {
                squares[i][j] = away;
                squares[j][i] = away;
            }
        }
        int[] selection = IteratedKrum.of(squares, attackers).selection();
        return Arrays.stream(selection).filter(i -> i >= honest).count() == attackers;
    }
}
