package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;
import dev.levee.operators.testing.plain.PlainServers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Measures Byzantine servers against every topology in small training runs: logistic regression on
 * generated digits through {@link RoundDriver}, or a plain loop of nodes. A cell is the accuracy of
 * the worst model of an honest server or node.
 */
public final class ServerResilience {
    private static final int NODES = 30;

    private static final List<String> ATTACKS =
            List.of(
                    "none",
                    "random",
                    "reversed",
                    "dropped(p=1)",
                    "sign-flip",
                    "little-is-enough",
                    "equivocation");

    private static final List<String> LIES =
            List.of("none", "reversed", "little-is-enough", "equivocation", "dissensus");

    private static final List<String> GRAPHS =
            List.of("complete", "random-regular(8)", "pull(16)", "pull(8)");

    private static final List<String> AMONG_NODES =
            List.of("average", "monna", "centered-clipping(tau=0.1)");

    private final SmallTrainings trainings = new SmallTrainings(SmallTrainings.DATA);

    /** Arguments: parts of the names of rows, such as {@code pull} (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println(SmallTrainings.DATA + ", " + SmallTrainings.ROUNDS + " rounds");
        new ServerResilience().print(List.of(args));
    }

    private void print(List<String> parts) throws Exception {
        System.out.printf(
                "%n%d workers and 3 servers, one of each lies the same way%n%n",
                SmallTrainings.WORKERS);
        table(
                "deployment",
                List.of(
                        "one server, average",
                        "3 that may crash, average",
                        "one server, multi-krum",
                        "3 servers, multi-krum, average of models",
                        "3 servers, multi-krum, median of models"),
                parts,
                ATTACKS,
                this::deployed);
        System.out.printf("%n%d nodes on a graph, of which 6 lie%n%n", NODES);
        List<String> settings = new ArrayList<>();
        for (String graph : GRAPHS) {
            for (String rule : AMONG_NODES) {
                settings.add(graph + ", " + rule);
            }
        }
        table("graph, rule", settings, parts, LIES, this::gossiped);
    }

    private void table(
            String title,
            List<String> rows,
            List<String> parts,
            List<String> attacks,
            Function<String, Function<Attack, Training>> made)
            throws Exception {
        ParallelTable.print(
                title,
                rows.stream()
                        .filter(row -> parts.isEmpty() || parts.stream().anyMatch(row::contains))
                        .toList(),
                attacks,
                (row, name) ->
                        cell(made.apply(row), name.equals("none") ? null : Attacks.parse(name)));
    }

    private Function<Attack, Training> deployed(String deployment) {
        return attack -> {
            boolean robust = deployment.contains("multi-krum");
            TrainingBuilder run =
                    trainings
                            .training(
                                    Rules.parse(robust ? "multi-krum" : "average"),
                                    SmallTrainings.WORKERS,
                                    robust ? 1 : 0)
                            .attack(attack, 1);
            Attackers liars = new Attackers(attack, 1);
            if (deployment.contains("crash")) {
                Failover failover = new Failover(Failover.TIMEOUT, List.of(), liars);
                run.topology(Topology.crashTolerant(3, failover));
            } else if (deployment.startsWith("3")) {
                boolean median = deployment.contains("median");
                Rule rule = Rules.parse(median ? "median" : "average");
                run.topology(Topology.replicas(3, exchange(rule, median ? 1 : 0, liars)));
            }
            return run.build();
        };
    }

    private Function<Attack, Training> gossiped(String setting) {
        int comma = setting.indexOf(", ");
        Graph graph = Graph.parse(setting.substring(0, comma));
        Rule rule = Rules.parse(setting.substring(comma + 2));
        int heard = Topology.gossip(NODES, exchange(rule, 0, Attackers.NONE), graph).fewestHeard(1);
        // The number of attackers, or fewer if the rule tolerates fewer among a node's neighbors.
        int most = rule.averages() ? 0 : 6;
        while (most > 0 && (rule.minimumRows(most) > heard || 2 * most >= heard)) {
            most--;
        }
        int f = most;
        return attack ->
                trainings
                        .training(rule, NODES, 0)
                        .topology(
                                Topology.gossip(
                                        NODES, exchange(rule, f, new Attackers(attack, 6)), graph))
                        .build();
    }

    private static Exchange exchange(Rule rule, int f, Attackers liars) {
        return new Exchange(rule, f, 1, Contraction.NONE, liars);
    }

    private String cell(Function<Attack, Training> made, Attack attack) {
        Training training;
        try {
            training = made.apply(attack);
        } catch (WrongTrainingException e) {
            return "";
        }
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            // The driver keeps all rows of a run, which is too much for many nodes.
            List<float[]> models =
                    training.topology().local()
                            ? PlainServers.run(training, gradients)
                            : RoundDriver.of(training, 1).gradients(gradients).run().models();
            double worst =
                    IntStream.range(0, models.size())
                            .filter(server -> !training.topology().lies(server))
                            .mapToDouble(server -> trainings.accuracy(models.get(server)))
                            .min()
                            .orElseThrow();
            return String.format(Locale.ROOT, "%.1f", 100 * worst);
        } catch (RunFailedException e) {
            return "stops";
        }
    }
}
