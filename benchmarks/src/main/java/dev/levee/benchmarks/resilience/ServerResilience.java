package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;
import dev.levee.operators.testing.plain.PlainServers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Measures Byzantine servers against every topology in small training runs: logistic regression on
 * generated digits through {@link RoundDriver}, or a plain loop of nodes. A cell is the accuracy of
 * the worst model of an honest server or node.
 */
public final class ServerResilience {
    private static final int WORKERS = 11;
    private static final int NODES = 30;
    private static final int ROUNDS = 150;
    private static final String DATA = "strokes:?train=4000&test=1000&seed=1";

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

    private final Model model;
    private final Dataset test;

    private ServerResilience() {
        Dataset train = Datasets.open(DATA, Datasets.Split.TRAIN);
        test = Datasets.open(DATA, Datasets.Split.TEST);
        model = Models.open("logistic", train.shape(), train.classes());
    }

    /** Arguments: parts of the names of rows, such as {@code pull} (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println(DATA + ", " + ROUNDS + " rounds");
        new ServerResilience().print(List.of(args));
    }

    private void print(List<String> parts) throws Exception {
        System.out.printf("%n%d workers and 3 servers, one of each lies the same way%n%n", WORKERS);
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
            Function<String, Function<Attack, Training>> trainings)
            throws Exception {
        System.out.printf("| %s | %s |%n", title, String.join(" | ", attacks));
        System.out.println("|---|" + "---|".repeat(attacks.size()));
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            for (String row : rows) {
                if (!parts.isEmpty() && parts.stream().noneMatch(row::contains)) {
                    continue;
                }
                List<Future<String>> cells = new ArrayList<>();
                for (String name : attacks) {
                    Attack attack = name.equals("none") ? null : Attacks.parse(name);
                    cells.add(threads.submit(() -> cell(trainings.apply(row), attack)));
                }
                StringBuilder line = new StringBuilder("| " + row.replace("|", "\\|") + " |");
                for (Future<String> cell : cells) {
                    line.append(' ').append(cell.get()).append(" |");
                }
                System.out.println(line);
            }
        } finally {
            threads.shutdown();
        }
    }

    private Function<Attack, Training> deployed(String deployment) {
        return attack -> {
            boolean robust = deployment.contains("multi-krum");
            TrainingBuilder run =
                    training(robust ? "multi-krum" : "average", WORKERS, robust ? 1 : 0)
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
                training(rule.name(), NODES, 0)
                        .topology(
                                Topology.gossip(
                                        NODES, exchange(rule, f, new Attackers(attack, 6)), graph))
                        .build();
    }

    private static Exchange exchange(Rule rule, int f, Attackers liars) {
        return new Exchange(rule, f, 1, Contraction.NONE, liars);
    }

    private TrainingBuilder training(String rule, int workers, int f) {
        return new TrainingBuilder("servers", DATA, model, Rules.parse(rule), workers, f)
                .batchSize(16)
                .learningRate(LearningRate.parse("constant", 0.1, ROUNDS))
                .work(new GradientWork(0.9))
                .rounds(ROUNDS)
                .evalInterval(ROUNDS);
    }

    private String cell(Function<Attack, Training> made, Attack attack) {
        Training training;
        try {
            training = made.apply(attack);
        } catch (WrongTrainingException e) {
            return "";
        }
        try (LearnedGradients gradients = new LearnedGradients(training);
                Learner learner = model.newLearner()) {
            // The driver keeps all rows of a run, which is too much for many nodes.
            List<float[]> models =
                    training.topology().local()
                            ? PlainServers.run(training, gradients)
                            : RoundDriver.of(training, 1).gradients(gradients).run().models();
            double worst =
                    IntStream.range(0, models.size())
                            .filter(server -> !training.topology().lies(server))
                            .mapToDouble(
                                    server -> learner.evaluate(models.get(server), test).accuracy())
                            .min()
                            .orElseThrow();
            return String.format(Locale.ROOT, "%.1f", 100 * worst);
        } catch (RunFailedException e) {
            return "stops";
        }
    }
}
