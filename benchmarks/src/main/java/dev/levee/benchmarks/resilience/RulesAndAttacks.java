package dev.levee.benchmarks.resilience;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A table of every rule against every attack, for every f that the rule allows. */
abstract class RulesAndAttacks {
    private static final String MOST = "f ≤";

    /** Settings of other libraries, in addition to the papers' defaults. */
    private static final List<String> VARIANTS =
            List.of(
                    "centered-clipping(tau=auto)",
                    "dnc(dimensions=10000)",
                    "clip(median) | average",
                    "flag(rows=raw)",
                    "krum(score=blades)",
                    "bulyan(variant=garfield)",
                    "sign-guard(similarity=cosine)",
                    "sign-guard(similarity=distance)");

    /** Number of rows that a rule gets. */
    final int n;

    RulesAndAttacks(int n) {
        this.n = n;
    }

    /** The second and later arguments of a program or, without any, all rules and these. */
    static List<String> rules(String[] args, List<String> composed) {
        if (args.length > 1) {
            return List.of(args).subList(1, args.length);
        }
        List<String> rules = new ArrayList<>(Rules.names());
        rules.addAll(VARIANTS);
        rules.addAll(composed);
        return rules;
    }

    /** Prints the table with the attacks whose names pass. */
    final void print(List<String> rules, Predicate<String> attacks) throws Exception {
        List<String> columns = new ArrayList<>(List.of(MOST));
        for (String name : Attacks.names()) {
            if (name.equals("fall-of-empires")) {
                columns.addAll(List.of("fall-of-empires(0.1)", "fall-of-empires(2)"));
            } else if (name.startsWith("optimal-")) {
                columns.add(name + "(RULE)");
            } else if (attacks.test(name)) {
                columns.add(name);
            }
        }
        ParallelTable.print("rule", rules, columns, this::text);
    }

    private String text(String name, String column) {
        Rule rule = Rules.parse(name);
        int most = 0;
        while (rule.minimumRows(most + 1) <= n && 2 * (most + 1) < n) {
            most++;
        }
        if (column.equals(MOST)) {
            return Integer.toString(most);
        }
        if (rule.needsScores() && column.endsWith("(RULE)")) {
            return ""; // attackers do not have the data of the scores
        }
        return cell(rule, Attacks.parse(column.replace("RULE", "rule=" + rule.name())), most);
    }

    /** The text for a rule under an attack. */
    abstract String cell(Rule rule, Attack attack, int most);
}
