package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Round;

/**
 * Sends the mean of the honest rows minus z standard deviations (ddof 1), per coordinate (Baruch,
 * Baruch, Goldberg, "A Little Is Enough: Circumventing Defenses For Distributed Learning", NeurIPS
 * 2019, algorithm 3).
 *
 * @param z number of standard deviations; NaN for the paper's choice, Φ⁻¹((n − f − s)/(n − f)) with
 *     s = ⌊n/2 + 1⌋ − f, for n workers of which f attack
 */
public record LittleIsEnough(double z) implements Collusion {
    public LittleIsEnough {
        if (Double.isInfinite(z)) {
            throw new IllegalArgumentException(
                    "little-is-enough: z must be finite, got " + Arguments.text(z));
        }
    }

    /**
     * The paper's z.
     *
     * @param n number of workers
     * @param f number of workers that attack
     */
    static double defaultZ(int n, int f) {
        int supporters = n / 2 + 1 - f;
        double share = (double) (n - f - supporters) / (n - f);
        if (n <= f || !(share > 0 && share < 1)) {
            throw new IllegalArgumentException(
                    ("little-is-enough has no default z for n = %s and f = %s: set one, "
                                    + "such as little-is-enough(z=1)")
                            .formatted(n, f));
        }
        return Normal.quantile(share);
    }

    @Override
    public String name() {
        return Double.isNaN(z)
                ? "little-is-enough"
                : "little-is-enough(z=" + Arguments.text(z) + ")";
    }

    @Override
    public void check(Round round, int honest) {
        if (Double.isNaN(z)) {
            defaultZ(round.rows(), round.f());
        }
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        double deviations = Double.isNaN(z) ? defaultZ(round.rows(), round.f()) : z;
        return new HonestRows(honest, length).meanMinus(deviations);
    }
}
