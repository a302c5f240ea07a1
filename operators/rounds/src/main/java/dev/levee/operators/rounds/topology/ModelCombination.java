package dev.levee.operators.rounds.topology;

import dev.levee.gar.Aggregator;
import dev.levee.gar.BlockKernels;
import dev.levee.gar.RuleState;

import java.util.Arrays;
import java.util.Optional;

/**
 * Combines the models of several servers at a reader (ByzSGD: El-Mhamdi et al., PODC 2020) by the
 * rule for models. A server whose model is missing or contains NaN or infinity is proven faulty.
 * With k such servers, the rule gets n − k rows and f − k.
 */
public final class ModelCombination {
    private final Exchange exchange;
    private final long seed;

    /**
     * Creates a combination with an exchange's rule.
     *
     * @param seed the seed of the rule's random choices
     */
    public ModelCombination(Exchange exchange, long seed) {
        this.exchange = exchange;
        this.seed = seed;
    }

    /**
     * Combines several models into one.
     *
     * @param models the received models, in the order of their servers; not written
     * @param servers expected number of models, n
     * @param version selects the rule's random choices
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
     * Combines models that all count.
     *
     * @param faults number of servers that do not count, k
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
