package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures every rule against every attack for every f that the rule allows, on random vectors.
 * Prints for each pair the largest f up to which the rule held, for two levels of noise: a gradient
 * is twice as long as its noise at the first level, and half as long at the second.
 */
public final class VectorResilience {
    private static final double[] NOISES = {0.5, 2};
    private static final int SEEDS = 5;

    private static final List<String> COMPOSED =
            List.of("average", "median", "trimmed-mean", "krum", "multi-krum", "geometric-median");

    /** Settings of other libraries, in addition to the papers' defaults. */
    static final List<String> VARIANTS =
            List.of(
                    "centered-clipping(tau=auto)",
                    "dnc(dimensions=10000)",
                    "clip(median) | average",
                    "flag(rows=raw)",
                    "krum(score=blades)",
                    "bulyan(variant=garfield)",
                    "sign-guard(similarity=cosine)",
                    "sign-guard(similarity=distance)");

    /**
     * Attacks that are left out: they send nothing, change the data, or are another name of an
     * attack.
     */
    private static final List<String> NOT_ON_VECTORS =
            List.of("none", "silent", "label-flip", "dropped", "equivocation", "dissensus");

    private final int n;
    private final double noise;

    private VectorResilience(int n, double noise) {
        this.n = n;
        this.noise = noise;
    }

    /** Arguments: the number of rows (11), and rules (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int n = args.length == 0 ? 11 : Integer.parseInt(args[0]);
        List<String> rules = args.length > 1 ? List.of(args).subList(1, args.length) : rules();
        for (double noise : NOISES) {
            new VectorResilience(n, noise).print(rules);
        }
    }

    private static List<String> rules() {
        List<String> rules = new ArrayList<>(Rules.names());
        rules.addAll(VARIANTS);
        COMPOSED.stream()
                .filter(Rules.names()::contains)
                .forEach(rule -> rules.add("nnm | " + rule));
        return rules;
    }

    /** The attacks by name; {@code RULE} stands for the attacked rule. */
    private static List<String> attacks() {
        List<String> attacks = new ArrayList<>();
        for (String name : Attacks.names()) {
            if (name.equals("fall-of-empires")) {
                attacks.addAll(List.of("fall-of-empires(0.1)", "fall-of-empires(2)"));
            } else if (name.startsWith("optimal-")) {
                attacks.add(name + "(RULE)");
            } else if (!NOT_ON_VECTORS.contains(name)) {
                attacks.add(name);
            }
        }
        return attacks;
    }

    private void print(List<String> rules) throws Exception {
        List<String> attacks = attacks();
        System.out.printf(
                "%nn = %d, noise %s, %d seeds. A cell is the largest f up to which the rule held"
                        + " in every one.%n%n",
                n, noise, SEEDS);
        System.out.printf("| rule | f ≤ | %s |%n", String.join(" | ", attacks));
        System.out.println("|---|---|" + "---|".repeat(attacks.size()));
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<String>> lines = new ArrayList<>();
            for (String rule : rules) {
                lines.add(threads.submit(() -> line(Rules.parse(rule), attacks)));
            }
            for (Future<String> line : lines) {
                System.out.println(line.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private String line(Rule rule, List<String> attacks) {
        StringBuilder line = new StringBuilder("| " + rule.name().replace("|", "\\|"));
        int most = 0;
        while (rule.minimumRows(most + 1) <= n && 2 * (most + 1) < n) {
            most++;
        }
        line.append(" | ").append(most).append(" |");
        for (String attack : attacks) {
            line.append(' ').append(cell(rule, attack, most)).append(" |");
        }
        return line.toString();
    }

    private String cell(Rule rule, String name, int most) {
        if (!TrainingResilience.foreseen(rule, name)) {
            return "";
        }
        Attack attack = Attacks.parse(name.replace("RULE", rule.name()));
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
