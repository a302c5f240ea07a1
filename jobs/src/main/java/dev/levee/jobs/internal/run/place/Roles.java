package dev.levee.jobs.internal.run.place;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Traffic;
import dev.levee.operators.rounds.training.Training;

import org.apache.commons.math3.distribution.HypergeometricDistribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Describes the rows per round, the tolerated faults, and the messages of each role of a training.
 */
public final class Roles {
    private Roles() {}

    /** A line for each role and kind of message, run by run; empty for runs with one server. */
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
        String server = topology.serverWord();
        if (!topology.local()) {
            int gradients = training.plan().at(training, 0).quorum();
            roles.add(
                    "each %s closes a round with %s gradients; %s"
                            .formatted(
                                    server,
                                    gradients,
                                    tolerates(training.rule(), gradients, training.byzantine())));
        }
        if (topology.failover() != null) {
            roles.add(
                    "each worker reads the first of %d servers that is not silent, which tolerates %d"
                                    .formatted(topology.servers(), topology.servers() - 1)
                            + " crashed servers, but no Byzantine one");
            roles.addAll(traffic(training));
            return roles;
        }
        int rows = topology.quorum(topology.fewestHeard(training.seed()));
        String models = rows + " models; " + tolerates(exchange.rule(), rows, exchange.byzantine());
        String which =
                topology.local() ? "at least " : rows < topology.servers() ? "the first " : "";
        roles.add("each " + server + " combines " + which + models);
        if (topology.readersCombine()) {
            roles.add("each worker reads " + which + models);
        }
        pulled(training).ifPresent(roles::add);
        roles.addAll(traffic(training));
        return roles;
    }

    /**
     * The probability that a node pulls more Byzantine peers than the rule tolerates (RPEL). On a
     * graph, this is computed for a node whose neighbors include all Byzantine nodes.
     */
    private static Optional<String> pulled(Training training) {
        Topology topology = training.topology();
        if (!topology.local() || !topology.graph().pulls()) {
            return Optional.empty();
        }
        int told = topology.exchange().byzantine();
        int others = training.workers() - 1;
        double anywhere = 0;
        double surrounded = 0;
        for (int[] reach : topology.graph().reach(training.workers(), training.seed())) {
            int neighbours = reach.length - 1;
            int heard = topology.graph().heardOf(neighbours);
            anywhere = Math.max(anywhere, failure(others, training.byzantine(), heard, told));
            surrounded =
                    Math.max(surrounded, failure(neighbours, training.byzantine(), heard, told));
        }
        String sentence =
                String.format(
                        Locale.ROOT,
                        "an honest node pulls more than %d of %d Byzantine nodes with probability"
                                + " %.2g in an exchange",
                        told,
                        training.byzantine(),
                        anywhere);
        return Optional.of(
                topology.graph().kind() == Graph.Kind.PULL
                                || topology.graph().kind() == Graph.Kind.COMPLETE
                        ? sentence
                        : String.format(
                                Locale.ROOT,
                                "%s if they are anywhere on the graph, %.2g if they are its"
                                        + " neighbors",
                                sentence,
                                surrounded));
    }

    /** The probability that more than {@code told} of the pulled nodes are Byzantine. */
    private static double failure(int others, int liars, int pulled, int told) {
        return new HypergeometricDistribution(others, Math.min(liars, others), pulled)
                .upperCumulativeProbability(told + 1);
    }

    private static String tolerates(Rule rule, int rows, int told) {
        boolean plain = rule.minimumRows(1) == 1;
        int most = -1;
        while (!plain && most + 1 < rows && rule.minimumRows(most + 1) <= rows) {
            most++;
        }
        return "%s (%s) is set to f = %d and tolerates %s"
                .formatted(rule.name(), rule.limit(), told, plain ? "none" : "at most " + most);
    }

    /** The messages of a round, as if no two roles shared a process. */
    private static List<String> traffic(Training training) {
        return Traffic.of(training).stream().map(each -> line(each, training.topology())).toList();
    }

    private static String line(Traffic traffic, Topology topology) {
        long count = traffic.messages();
        String when = "";
        if (traffic.kind() == Traffic.Kind.AGGREGATES) {
            int steps = topology.exchange().contraction().steps();
            count *= Math.abs(steps);
            when = steps < 0 ? ", times ⌈log₂(t + 1)⌉ in round t" : "";
        } else if (traffic.kind() == Traffic.Kind.MODELS && topology.exchange().every() > 1) {
            when = ", every " + topology.exchange().every() + " rounds";
        }
        double megabytes = count * (double) traffic.bytes() / (1 << 20);
        return String.format(
                Locale.ROOT,
                "%s: %d a round, %.1f MiB%s",
                traffic.kind().words(),
                count,
                megabytes,
                when);
    }
}
