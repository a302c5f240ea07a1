package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws unusual parts of a training: cohorts that change every round, several servers, sums in
 * place of rows, deadlines, contributions to older models.
 */
record Variety(Training training) {
    private static final List<Rule> FOR_READERS =
            List.of(
                    Rules.parse("average"),
                    Rules.parse("median"),
                    Rules.parse("krum"),
                    Rules.parse("nnm | trimmed-mean"));

    private static final List<Rule> FOR_SERVERS =
            List.of(
                    Rules.parse("median"),
                    Rules.parse("multi-krum"),
                    Rules.parse("monna"),
                    Rules.parse("centered-clipping"),
                    Rules.parse("clipped-gossip"));

    private static final List<Reading> READINGS =
            List.of(Reading.AGGREGATE, Reading.PER_SERVER, Reading.OWN);

    private static final List<Graph> GRAPHS =
            List.of(
                    Graph.parse("complete"),
                    Graph.parse("ring"),
                    Graph.parse("torus"),
                    Graph.parse("star"),
                    Graph.parse("random-regular(3)"),
                    Graph.parse("erdos-renyi(0.6)"),
                    Graph.parse("pull(2)"));

    private static final List<Attack> LIES =
            List.of(
                    Attacks.parse("reversed"),
                    Attacks.parse("random"),
                    Attacks.parse("dropped"),
                    Attacks.parse("little-is-enough(z=1.5)"),
                    Attacks.parse("min-max"),
                    Attacks.parse("equivocation"),
                    Attacks.parse("dissensus"),
                    Attacks.parse("nan"));

    /** Draws changes for a training; changes that are not compatible with it are left out. */
    static Variety of(long seed, Training drawn, boolean elastic) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 6));
        TrainingBuilder varied = new TrainingBuilder(drawn);
        if (random.nextInt(4) == 0 && !elastic) {
            varied.topology(new Topology(2));
        }
        if (random.nextInt(3) == 0) {
            varied.rowsHeld(random.nextInt(3));
        }
        if (drawn.synchronous() && !elastic && random.nextInt(3) == 0) {
            int perRound = drawn.workers();
            int all = perRound + 1 + random.nextInt(2 * perRound);
            varied.workers(all).quorum(all).plan(new SampledPlan(perRound));
        }
        if (random.nextInt(12) == 0 && drawn.admission().timeout() == null) {
            varied.deadline(Duration.ofMillis(1 + random.nextInt(20_000)));
        }
        if (!drawn.synchronous() && !drawn.rule().needsScores() && random.nextBoolean()) {
            varied.staleness(1 + random.nextInt(4));
        }
        SplittableRandom bounds = new SplittableRandom(Draws.key(seed, 9));
        if (!drawn.synchronous() && bounds.nextBoolean()) {
            Admission admission = varied.build().admission();
            boolean some = !admission.inStep() && admission.quorum() instanceof CountOrShare.Count;
            varied.most(some ? admission.quorum(drawn.workers()) : Admission.ALL);
        }
        if (bounds.nextBoolean()) {
            varied.least(1 + bounds.nextInt(drawn.workers()));
        }
        return new Variety(
                elastic
                        ? varied.build()
                        : remembering(seed, crashing(seed, exchanging(seed, varied.build()))));
    }

    /**
     * The same training without workers that were proven faulty, if its plan does not choose
     * participants.
     */
    private static Training remembering(long seed, Training varied) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 9));
        boolean fits =
                Plan.FIXED.equals(varied.plan())
                        && Topology.ONE.equals(varied.topology())
                        && varied.attackers().count() == 0
                        && varied.byzantine() > 0
                        && varied.admission().nonFinite() == Admission.NonFinite.REJECT;
        return random.nextInt(3) > 0 || !fits
                ? varied
                : new TrainingBuilder(varied)
                        .rounds(varied.rounds() + random.nextInt(8))
                        .plan(new Reputation(1 + random.nextInt(2), 1 + random.nextInt(3)))
                        .build();
    }

    /** The same training with several replicas, of which one is read and some crash. */
    private static Training crashing(long seed, Training varied) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 8));
        boolean fits =
                Plan.FIXED.equals(varied.plan())
                        && Topology.ONE.equals(varied.topology())
                        && varied.synchronous()
                        && varied.admission().inStep()
                        && !varied.rule().needsScores();
        if (random.nextInt(6) > 0 || !fits) {
            return varied;
        }
        int servers = 1 + random.nextInt(4);
        int lasts = random.nextInt(servers);
        List<Failover.Crash> crashes = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            if (server != lasts && random.nextBoolean()) {
                crashes.add(new Failover.Crash(server, random.nextInt(1 + (int) varied.rounds())));
            }
        }
        Duration timeout = Duration.ofNanos(1000L * (1 + random.nextInt(20_000)));
        return new TrainingBuilder(varied)
                .topology(
                        Topology.crashTolerant(
                                servers, new Failover(timeout, crashes, Attackers.NONE)))
                .build();
    }

    /** The same training with servers that exchange models, if that is compatible with it. */
    private static Training exchanging(long seed, Training varied) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 7));
        boolean fits =
                Plan.FIXED.equals(varied.plan())
                        && varied.admission().inStep()
                        && !varied.rule().needsScores();
        if (random.nextInt(4) > 0 || !fits) {
            return varied;
        }
        Reading reading = READINGS.get(random.nextInt(READINGS.size()));
        boolean own = reading == Reading.OWN;
        if (reading != Reading.PER_SERVER && !varied.synchronous()) {
            return varied;
        }
        int servers = own ? varied.workers() : 1 + random.nextInt(5);
        List<Rule> rules = reading == Reading.AGGREGATE ? FOR_READERS : FOR_SERVERS;
        Rule rule = rules.get(random.nextInt(rules.size()));
        if (rule.minimumRows(0) > servers) {
            return varied;
        }
        int f = 0;
        while (rule.minimumRows(f + 1) <= servers && f + 1 < servers && random.nextBoolean()) {
            f++;
        }
        Attack lie = random.nextBoolean() ? null : LIES.get(random.nextInt(LIES.size()));
        Exchange exchange =
                new Exchange(
                        rule,
                        f,
                        1 + random.nextInt(3),
                        own ? new Contraction(random.nextInt(4) - 1) : Contraction.NONE,
                        new Attackers(lie, random.nextInt(f + 1)));
        exchange = closing(seed, exchange, servers);
        boolean alone = own && random.nextBoolean();
        Graph graph = alone ? GRAPHS.get(random.nextInt(GRAPHS.size())) : null;
        if (graph != null) {
            Topology complete = new Topology(servers, reading, exchange);
            return local(varied, rule, complete, pulling(seed, graph));
        }
        return new TrainingBuilder(varied)
                .topology(new Topology(servers, reading, exchange))
                .build();
    }

    /** The same exchange, or one that closes with the fewest models that the rule needs. */
    private static Exchange closing(long seed, Exchange exchange, int servers) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 10));
        int f = exchange.byzantine();
        int least = Math.max(exchange.rule().minimumRows(f), f + 1);
        int most = Math.min(servers - f, servers - 1);
        return random.nextBoolean() || most < least
                ? exchange
                : exchange.closingWith(least + random.nextInt(most - least + 1));
    }

    /** The same graph, or one whose nodes pull only some of their neighbors. */
    private static Graph pulling(long seed, Graph graph) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 9));
        return random.nextInt(3) > 0 || graph.pulls()
                ? graph
                : graph.pulling("pull(%d)".formatted(1 + random.nextInt(3)));
    }

    /**
     * The same training with nodes on a graph, if the graph exists for this number of nodes and
     * gives the rule enough rows.
     */
    private static Training local(Training varied, Rule rule, Topology complete, Graph graph) {
        Exchange exchange = complete.exchange();
        TrainingBuilder builder = new TrainingBuilder(varied).attack(null, 0);
        for (int f = exchange.byzantine(); f >= 0; f--) {
            Exchange fewer =
                    new Exchange(
                            rule,
                            f,
                            exchange.every(),
                            Contraction.NONE,
                            new Attackers(
                                    exchange.liars().attack(),
                                    Math.min(f, exchange.liars().count())));
            try {
                return builder.topology(Topology.gossip(complete.servers(), fewer, graph)).build();
            } catch (WrongTrainingException e) {
                continue;
            }
        }
        return varied;
    }
}
