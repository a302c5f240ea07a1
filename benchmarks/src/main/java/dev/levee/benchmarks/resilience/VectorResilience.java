package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;

import java.util.List;

/**
 * Measures every rule against every attack for every f that the rule allows, on random vectors.
 * Prints for each pair the largest f up to which the rule held, for two levels of noise: a gradient
 * is twice as long as its noise at the first level, and half as long at the second.
 */
public final class VectorResilience extends RulesAndAttacks {
    private static final double[] NOISES = {0.5, 2};
    private static final int SEEDS = 5;

    private static final List<String> COMPOSED =
            List.of("average", "median", "trimmed-mean", "krum", "multi-krum", "geometric-median");

    /**
     * Attacks that are left out: they send nothing, change the data, or are another name of an
     * attack.
     */
    private static final List<String> NOT_ON_VECTORS =
            List.of("none", "silent", "label-flip", "dropped", "equivocation", "dissensus");

    private final double noise;

    private VectorResilience(int n, double noise) {
        super(n);
        this.noise = noise;
    }

    /** Arguments: the number of rows (11), and rules (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int n = args.length == 0 ? 11 : Integer.parseInt(args[0]);
        List<String> composed =
                COMPOSED.stream()
                        .filter(Rules.names()::contains)
                        .map(rule -> "nnm | " + rule)
                        .toList();
        List<String> rules =
                rules(args, composed).stream().map(rule -> Rules.parse(rule).name()).toList();
        for (double noise : NOISES) {
            System.out.printf(
                    "%nn = %d, noise %s, %d seeds. A cell is the largest f up to which the rule"
                            + " held in every one.%n%n",
                    n, noise, SEEDS);
            new VectorResilience(n, noise).print(rules, name -> !NOT_ON_VECTORS.contains(name));
        }
    }

    @Override
    String cell(Rule rule, Attack attack, int most) {
        int held = 0;
        while (held < most && held(rule, attack, held + 1)) {
            held++;
        }
        return held == 0 ? "–" : Integer.toString(held);
    }

    private boolean held(Rule rule, Attack attack, int f) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (!new VectorTrial(rule, attack, n, f, noise, seed).run().held()) {
                return false;
            }
        }
        return true;
    }
}
