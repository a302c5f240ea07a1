package dev.levee.jobs.internal.cli;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.config.setting.SpellingSuggestion;
import dev.levee.jobs.internal.pages.Page;
import dev.levee.jobs.internal.pages.Pages;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Lists the rules, pre-aggregations and attacks, and explains one of them. */
@Command(
        name = "rules",
        description = "List rules, pre-aggregations and attacks, or explain one of them.",
        subcommands = RulesCommand.Explain.class)
final class RulesCommand extends CliCommand implements Callable<Integer> {
    private static final List<String> OF_RULES =
            List.of("Limit", "Breakdown point", "Cost", "Variance condition");

    @Override
    public Integer call() {
        PrintWriter out = out();
        table(out, "rule", Rules.names(), Pages.RULES, OF_RULES);
        out.println();
        table(
                out,
                "pre-aggregation",
                Rules.preAggregations(),
                Pages.PRE_AGGREGATIONS,
                List.of("Limit", "Cost", "Source"));
        out.println();
        table(out, "attack", Attacks.names(), Pages.ATTACKS, List.of("Sees", "Source"));
        return 0;
    }

    private static void table(
            PrintWriter out, String kind, List<String> names, Pages pages, List<String> facts) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(kind));
        facts.forEach(fact -> head.add(fact.toLowerCase(Locale.ROOT)));
        lines.add(head);
        for (String name : names) {
            Optional<Page> page = pages.of(name);
            List<String> line = new ArrayList<>(List.of(name));
            for (String fact : facts) {
                line.add(page.map(p -> p.fact(fact)).orElseGet(() -> unwritten(name, fact)));
            }
            lines.add(line);
        }
        Columns.print(out, lines);
    }

    /** Describes a rule of a plug-in, which has no page. */
    private static String unwritten(String name, String fact) {
        return fact.equals("Limit") ? Rules.plain(name).map(Rule::limit).orElse("") : "";
    }

    /** Prints the reference page of a name. */
    @Command(name = "explain", description = "Print the page of a rule, pre-aggregation or attack.")
    static final class Explain extends CliCommand implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "Name to explain, such as bulyan.")
        private String name;

        @Override
        public Integer call() {
            for (Pages pages : Pages.values()) {
                Optional<Page> page = pages.of(name);
                if (page.isPresent()) {
                    out().print(page.get().text());
                    return 0;
                }
            }
            List<String> known = new ArrayList<>(Rules.names());
            known.addAll(Rules.preAggregations());
            known.addAll(Attacks.names());
            throw misused(
                    (known.contains(name) ? "there is no page about " : "unknown name ")
                            + name
                            + ": levee rules lists all names"
                            + SpellingSuggestion.nearest(name, known)
                                    .filter(near -> !near.equals(name))
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(""));
        }
    }
}
