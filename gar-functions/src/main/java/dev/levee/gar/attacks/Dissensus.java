package dev.levee.gar.attacks;

import dev.levee.gar.Arguments;
import dev.levee.gar.Round;

/**
 * Keeps neighbors apart. To a receiver with model x and honest neighbors x_j, each of b attackers
 * sends x − (ε/b)·Σ_j (x_j − x). With ε = 1, the equally weighted mean of all models is x, so the
 * receiver does not move (He, Karimireddy, Jaggi, "Byzantine-Robust Decentralized Learning via
 * ClippedGossip", 2022).
 *
 * @param epsilon share of the honest neighbors' pull to cancel; above 1, the attackers push the
 *     receiver away
 */
public record Dissensus(double epsilon) implements Collusion {
    public Dissensus {
        Arguments.checkFromZero("dissensus: epsilon", epsilon);
    }

    @Override
    public String name() {
        return "dissensus(epsilon=" + Arguments.text(epsilon) + ")";
    }

    @Override
    public boolean equivocates() {
        return true;
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        float[] reader = honest[0];
        double factor = epsilon / Math.max(1, round.f());
        float[] row = new float[length];
        for (int i = 0; i < length; i++) {
            double pull = 0;
            for (float[] other : honest) {
                pull += (double) other[i] - reader[i];
            }
            row[i] = (float) (reader[i] - factor * pull);
        }
        return row;
    }
}
