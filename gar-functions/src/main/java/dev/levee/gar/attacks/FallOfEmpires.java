package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Round;

/**
 * Sends −ε times the mean of the honest rows (Xie, Koyejo, Gupta, "Fall of Empires: Breaking
 * Byzantine-tolerant SGD by Inner Product Manipulation", UAI 2019).
 *
 * @param epsilon ε, not negative
 */
public record FallOfEmpires(double epsilon) implements Collusion {
    public FallOfEmpires {
        Arguments.checkFromZero("fall-of-empires: epsilon", epsilon);
    }

    @Override
    public String name() {
        return "fall-of-empires(epsilon=" + Arguments.text(epsilon) + ")";
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        return new HonestRows(honest, length).mean(-epsilon);
    }
}
