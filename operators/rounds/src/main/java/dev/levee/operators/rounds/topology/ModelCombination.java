package dev.levee.operators.rounds.topology;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.RuleState;

import java.util.Arrays;
import java.util.Optional;

/**
 * Combines the models of several servers at a reader (ByzSGD: El-Mhamdi et al., PODC 2020) by the
 * rule for models. A server whose model is missing, or holds NaN or infinity, is a proven fault:
 * with k of them the rule gets n − k rows and f − k.
 */
public final class ModelCombination {
    private final Exchange exchange;
    private final long seed;

    /**
     * A combination by an exchange's rule.
     *
     * @param seed the seed of the rule, where it draws
     */
    public ModelCombination(Exchange exchange, long seed) {
        this.exchange = exchange;
        this.seed = seed;
    }

    /**
     * One model of several.
     *
     * @param models those that are there, in the order of their servers; not written
     * @param servers how many there should be, n
     * @param version by which the rule draws
     * @return empty if more than f are missing or not finite
     */
    public Optional<float[]> of(float[][] models, int servers, long version) {
        float[][] rows =
                Arrays.stream(models)
                        .filter(model -> BlockKernels.finite(model, 0, model.length))
                        .toArray(float[][]::new);
        return aggregate(rows, servers - rows.length, version);
    }

    /**
     * The same of models that are all to count.
     *
     * @param faults servers that do not count, k
     */
    public Optional<float[]> aggregate(float[][] rows, int faults, long version) {
        int f = exchange.byzantine() - faults;
        return f < 0
                ? Optional.empty()
                : Optional.of(
                        new Aggregator(exchange.rule(), f, seed)
                                .resume(version, RuleState.NONE)
                                .aggregate(rows));
    }
}
