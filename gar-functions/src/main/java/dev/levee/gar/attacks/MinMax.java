package dev.levee.gar.attacks;

import dev.levee.gar.Round;

/**
 * Sends m = mean(h) + γ·p with the largest γ for which m is at most as far from any honest row as
 * honest rows are from each other: max_i ‖m − h_i‖ ≤ max_ij ‖h_i − h_j‖ (Shejwalkar, Houmansadr,
 * "Manipulating the Byzantine", NDSS 2021, section IV). γ is the smallest of the larger roots of
 * one quadratic equation per honest row. The authors approximate it by halving steps.
 *
 * @param direction p
 */
public record MinMax(Perturbation direction) implements WholeCollusion {
    @Override
    public String name() {
        return "min-max(direction=" + direction.text() + ")";
    }

    @Override
    public float[] row(HonestRows honest, Round round) {
        PerturbationLine line = direction.from(honest);
        double farthest = MeasuredRows.ofDistances(honest).farthest();
        double gamma = Double.POSITIVE_INFINITY;
        for (int i = 0; i < honest.count(); i++) {
            gamma = Math.min(gamma, line.largest(i, farthest));
        }
        return line.at(gamma);
    }
}
