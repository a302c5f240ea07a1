package dev.levee.jobs.internal.run;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Exchange;
import dev.levee.operators.rounds.Graph;
import dev.levee.operators.rounds.Reading;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Topology;
import dev.levee.operators.rounds.Training;

import org.apache.commons.math3.distribution.HypergeometricDistribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What each role of a training gets in a round, how many lies it stands, and what it costs. */
public final class Roles {
    private Roles() {}

    /** A line for each role and kind of message, run by run; nothing where one server serves. */
    public static List<String> of(List<Training> trainings) {
        return trainings.stream()
                .filter(each -> each.topology().linked())
                .flatMap(each -> of(each).stream())
                .distinct()
                .toList();
    }

    private static List<String> of(Training training) {
        Topology topology = training.topology();
        Exchange exchange = topology.exchange();
        List<String> roles = new ArrayList<>();
        String server = topology.reading() == Reading.OWN ? "node" : "server";
        if (!topology.local()) {
            int gradients = training.plan().at(training, 0).quorum();
            roles.add(
                    "each "
                            + server
                            + " closes a round with "
                            + gradients
                            + " gradients, "
                            + stands(training.rule(), gradients, training.byzantine()));
        }
        if (topology.failover() != null) {
            roles.add(
                    "each worker reads the first of %d servers that is not silent, which stands %d"
                                    .formatted(topology.servers(), topology.servers() - 1)
                            + " that crash and none that lies");
            roles.addAll(workerTraffic(training));
            return roles;
        }
        int heard = topology.fewestHeard(training.seed());
        String models =
                (topology.local() ? "at least " : "")
                        + heard
                        + " models, "
                        + stands(exchange.rule(), heard, exchange.byzantine());
        roles.add("each " + server + " hears " + models);
        if (topology.reading() == Reading.AGGREGATE) {
            roles.add("each worker reads " + models);
        }
        pulled(training).ifPresent(roles::add);
        roles.addAll(traffic(training));
        return roles;
    }

    /** How likely more of the peers that a node pulls are liars than the rule stands. */
    private static Optional<String> pulled(Training training) {
        Graph graph = training.topology().graph();
        if (graph == null || graph.kind() != Graph.Kind.PULL) {
            return Optional.empty();
        }
        int told = training.topology().exchange().byzantine();
        double failure =
                new HypergeometricDistribution(
                                training.workers() - 1,
                                Math.min(training.byzantine(), training.workers() - 1),
                                (int) graph.parameter())
                        .upperCumulativeProbability(told + 1);
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "an honest node pulls more than %d of %d liars with probability %.2g in an"
                                + " exchange",
                        told,
                        training.byzantine(),
                        failure));
    }

    private static String stands(Rule rule, int rows, int told) {
        boolean plain = rule.minimumRows(1) == 1;
        int most = -1;
        while (!plain && most + 1 < rows && rule.minimumRows(most + 1) <= rows) {
            most++;
        }
        return "of which %s (%s) was told that %d may lie and stands %s"
                .formatted(rule.name(), rule.limit(), told, plain ? "none" : most);
    }

    /** Messages of a round from and to workers, if no two roles shared a process. */
    private static List<String> workerTraffic(Training training) {
        Topology topology = training.topology();
        long all = (long) training.plan().at(training, 0).workers() * topology.servers();
        long models = topology.reading() == Reading.OWN ? topology.servers() : all;
        long dimension = dimension(training);
        return topology.local()
                ? List.of()
                : List.of(
                        line("models to workers", models, dimension),
                        line("gradients to servers", all, dimension));
    }

    private static long dimension(Training training) {
        return Slices.of(training.model().layout()).dimension();
    }

    /** Messages of a round, if no two roles shared a process. */
    private static List<String> traffic(Training training) {
        Topology topology = training.topology();
        long servers = topology.servers();
        long dimension = dimension(training);
        List<String> lines = new ArrayList<>(workerTraffic(training));
        Exchange exchange = topology.exchange();
        long told = servers * (servers - 1);
        if (topology.local()) {
            told = -servers;
            for (int[] heard : topology.graph().heard((int) servers, training.seed(), 0)) {
                told += heard.length;
            }
        }
        lines.add(
                line("models between servers", told, dimension)
                        + (exchange.every() > 1 ? ", every " + exchange.every() + " rounds" : ""));
        int steps = exchange.contraction().steps();
        if (steps != 0) {
            lines.add(
                    line("aggregates between servers", Math.abs(steps) * told, dimension)
                            + (steps < 0 ? ", times ⌈log₂(t + 1)⌉ in round t" : ""));
        }
        return lines;
    }

    private static String line(String what, long count, long dimension) {
        double megabytes = count * dimension * (double) Float.BYTES / (1 << 20);
        return String.format(Locale.ROOT, "%s: %d a round, %.1f MiB", what, count, megabytes);
    }
}
