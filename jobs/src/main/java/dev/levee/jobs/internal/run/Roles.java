package dev.levee.jobs.internal.run;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Exchange;
import dev.levee.operators.rounds.Reading;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Topology;
import dev.levee.operators.rounds.Training;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What each role of a training gets in a round, how many lies it stands, and what it costs. */
public final class Roles {
    private Roles() {}

    /** One sentence for each role. */
    public static List<String> of(Training training) {
        Topology topology = training.topology();
        List<String> roles = new ArrayList<>();
        int gradients = training.plan().at(training, 0).quorum();
        String server = topology.reading() == Reading.OWN ? "node" : "server";
        roles.add(
                "each "
                        + server
                        + " closes a round with "
                        + gradients
                        + " gradients, "
                        + stands(training.rule(), gradients, training.byzantine()));
        Exchange exchange = topology.exchange();
        if (exchange != null) {
            String models =
                    topology.servers()
                            + " models, "
                            + stands(exchange.rule(), topology.servers(), exchange.byzantine());
            roles.add("each " + server + " hears " + models);
            if (topology.reading() == Reading.AGGREGATE) {
                roles.add("each worker reads " + models);
            }
        }
        roles.addAll(traffic(training));
        return roles;
    }

    private static String stands(Rule rule, int rows, int told) {
        int most = -1;
        while (most + 1 < rows && rule.minimumRows(most + 1) <= rows) {
            most++;
        }
        return "of which %s (%s) was told that %d may lie and stands %d"
                .formatted(rule.name(), rule.limit(), told, most);
    }

    /** Messages of a round, if no two roles shared a process. */
    private static List<String> traffic(Training training) {
        Topology topology = training.topology();
        long servers = topology.servers();
        long workers = training.plan().at(training, 0).workers();
        long dimension = Slices.of(training.model().layout()).dimension();
        long models = topology.reading() == Reading.OWN ? workers : workers * servers;
        long gradients = workers * servers;
        List<String> lines = new ArrayList<>();
        lines.add(line("models to workers", models, dimension));
        lines.add(line("gradients to servers", gradients, dimension));
        Exchange exchange = topology.exchange();
        if (exchange != null && servers > 1) {
            int steps = Math.max(0, exchange.contraction().steps());
            long told = servers * (servers - 1);
            lines.add(
                    line("models between servers", told, dimension)
                            + (exchange.every() > 1 ? ", every " + exchange.every() : ""));
            if (steps > 0) {
                lines.add(line("aggregates between servers", steps * told, dimension));
            }
        }
        return lines;
    }

    private static String line(String what, long count, long dimension) {
        double megabytes = count * dimension * (double) Float.BYTES / (1 << 20);
        return String.format(
                Locale.ROOT, "%s: %d a round, %.1f MiB", what, count, megabytes);
    }
}
