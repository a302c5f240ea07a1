package dev.levee.estimation;

import java.io.Serializable;

/**
 * The assumed explanatory power of an omitted variable (Chernozhukov, Cinelli, Newey, Sharma,
 * Syrgkanis 2022, "Long story short: omitted variable bias in causal machine learning").
 *
 * @param cfY share of the outcome's residual variance that the variable explains, within [0, 1)
 * @param cfD share of the treatment's residual variance that it explains, in the Riesz representer,
 *     within [0, 1)
 * @param rho correlation of the variable's two parts, within [−1, 1]; 1 is the worst case
 * @param nullHypothesis the effect for the robustness values
 */
public record Confounding(double cfY, double cfD, double rho, double nullHypothesis)
        implements Serializable {
    /** DoubleML's default. */
    public static final Confounding DEFAULT = new Confounding(0.03, 0.03, 1, 0);

    /** Checks the ranges. The message of an error is one sentence. */
    public Confounding {
        if (!(cfY >= 0 && cfY < 1)) {
            throw new IllegalArgumentException(
                    "cf-y must be at least 0 and less than 1, got " + cfY);
        }
        if (!(cfD >= 0 && cfD < 1)) {
            throw new IllegalArgumentException(
                    "cf-d must be at least 0 and less than 1, got " + cfD);
        }
        if (!(rho >= -1 && rho <= 1)) {
            throw new IllegalArgumentException("rho must be from -1 to 1, got " + rho);
        }
        if (!Double.isFinite(nullHypothesis)) {
            throw new IllegalArgumentException(
                    "the null hypothesis must be a number, got " + nullHypothesis);
        }
    }

    /** The same correlation and null hypothesis with other shares. */
    Confounding explaining(double share) {
        return new Confounding(share, share, rho, nullHypothesis);
    }

    /** |ρ|·√(cfY·cfD/(1 − cfD)): the bias relative to its scale. */
    double strength() {
        return Math.abs(rho) * Math.sqrt(cfY * cfD / (1 - cfD));
    }
}
