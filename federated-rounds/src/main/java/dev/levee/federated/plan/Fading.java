package dev.levee.federated.plan;

import dev.levee.gar.LookResult;
import dev.levee.gar.PreAggregation;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;

/**
 * Multiplies each row by s(τ), where τ is its age: FedBuff's weights (Nguyen et al., AISTATS 2022,
 * section 3). The server applies them, because only the server knows how stale a contribution is
 * when it counts.
 *
 * @param weight s
 */
public record Fading(StalenessWeight weight) implements PreAggregation {
    @Override
    public String name() {
        return "fade(" + weight.name() + ")";
    }

    @Override
    public boolean takesWeights() {
        return true;
    }

    @Override
    public RowMap map(LookResult looked, Round round) {
        int n = round.rows();
        double[][] weights = new double[n][n];
        for (int i = 0; i < n; i++) {
            weights[i][i] = weight.at(round.ages().length == 0 ? 0 : round.ages()[i]);
        }
        return new RowMap(weights);
    }
}
