package dev.levee.gar.attacks;

import dev.levee.gar.Round;

/**
 * Sends m = mean(h) + γ·p with the largest γ for which the sum of m's squared distances to the
 * honest rows is at most the largest such sum of an honest row: Σ_i ‖m − h_i‖² ≤ max_i Σ_j ‖h_i −
 * h_j‖² (Shejwalkar, Houmansadr, "Manipulating the Byzantine", NDSS 2021, section IV). γ is the
 * larger root of one quadratic equation. The authors approximate it by halving steps.
 *
 * @param direction p
 * @param least whether to use min_i, as the authors' code does, instead of the paper's max_i
 */
public record MinSum(Perturbation direction, boolean least) implements WholeCollusion {
    @Override
    public String name() {
        return "min-sum(direction=" + direction.text() + (least ? ",least)" : ")");
    }

    @Override
    public float[] row(HonestRows honest, Round round) {
        PerturbationLine line = direction.from(honest);
        double[] sums = MeasuredRows.ofDistances(honest).sums();
        double bound = sums[0];
        for (double sum : sums) {
            bound = least ? Math.min(bound, sum) : Math.max(bound, sum);
        }
        return line.at(line.largestOfSum(bound));
    }
}
