package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.checked;
import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.gar.rules.CapWeights;
import dev.levee.gar.rules.Pipeline;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Topology;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Checks that servers and their exchanges are compatible with the rest of a run. */
final class TopologyChecks {
    private final Training training;
    private final Topology topology;
    private final int servers;

    private TopologyChecks(Training training) {
        this.training = training;
        this.topology = training.topology();
        this.servers = topology.servers();
    }

    /**
     * Checks a training.
     *
     * @throws WrongTrainingException if parts are not compatible; one sentence
     */
    static void check(Training training) {
        TopologyChecks checks = new TopologyChecks(training);
        checks.checkReading();
        if (checks.topology.exchanges()) {
            checks.checkExchange(checks.topology.exchange());
        }
        if (checks.topology.failover() != null) {
            checks.checkFailover(checks.topology.failover());
        }
        if (checks.topology.standby() != null) {
            checks.checkStandby();
        }
    }

    private void checkReading() {
        // If a worker sends a wrong row to only one server, that server waits for another answer to
        // a model whose round the other servers have closed, and nobody can read that model after a
        // restart.
        require(
                topology.separate() || training.synchronous(),
                "{quorum} must be {workers}, which is %s, where a gradient is for several servers,"
                        + " got %s",
                training.workers(),
                training.admission().quorum());
    }

    private void checkExchange(Exchange exchange) {
        if (topology.local()) {
            topology.graph().check(servers, training.seed());
            require(
                    exchange.contraction().steps() == 0,
                    "{contract} is for nodes that receive all gradients, not for a {graph}");
            require(
                    !(exchange.rule().gossips() && exchange.rule() instanceof Pipeline pipeline)
                            || pipeline.before().stream().noneMatch(CapWeights.class::isInstance),
                    "{rule} %s changes the mixing weights of a {graph}, which preserve the mean of"
                            + " all nodes: leave cap-weights out",
                    exchange.rule().name());
            require(
                    training.attackers().name().isEmpty(),
                    "nodes of a {graph} send no gradients: give {serverAttack} instead of"
                            + " {attack}");
        }
        int heard = topology.fewestHeard(training.seed());
        int least = exchange.rule().minimumRows(exchange.byzantine());
        require(
                heard >= Math.max(least, exchange.byzantine() + 1),
                combining() + " %s needs %s: with f = %s that is %s %s, got %s",
                exchange.rule().name(),
                exchange.rule().limit(),
                exchange.byzantine(),
                least,
                topology.local() ? "models, of the node itself and its neighbors" : "servers",
                heard);
        checkRule(exchange);
        require(
                exchange.quorum() <= servers || exchange.quorum() == Exchange.ALL,
                "{serverQuorum} must be at most {servers}, which is %s, got %s",
                servers,
                exchange.quorum());
        if (exchange.quorum() < servers) {
            checkQuorum(exchange);
        }
        require(
                !topology.nodes() || servers == training.workers(),
                "nodes are worker and server at once, so there must be as many {servers} as"
                        + " {workers}, %s, got %s",
                training.workers(),
                servers);
        require(
                topology.nodes() || exchange.contraction().steps() == 0,
                "{contract} is for nodes that are worker and server at once");
        checkAlike("servers that exchange models", training.rule(), exchange.rule());
        require(
                !topology.readersCombine()
                        || exchange.rule().trusted().isEmpty() && !exchange.rule().needsPrevious(),
                "{serverAggregator} %s starts from a model of its own, which workers that read"
                        + " several servers do not have",
                exchange.rule().name());
        require(
                !exchange.rule().remembers(),
                combining() + " %s remembers earlier rounds, which exchanges of models do not",
                exchange.rule().name());
        checkLiars(exchange);
    }

    /** The option of the rule by which models are combined. */
    private String combining() {
        return topology.local() ? "{rule}" : "{serverAggregator}";
    }

    /** Checks that the rule accepts all models that a server hears, and hears whom it trusts. */
    private void checkRule(Exchange exchange) {
        checked(
                combining(),
                () ->
                        exchange.rule()
                                .check(topology.mostHeard(training.seed()), exchange.byzantine()));
        for (int server = 0; server < servers; server++) {
            Rule rule = exchange.rule().as(Round.worker(training.serverId(server)));
            for (String id : rule.trusted()) {
                List<String> heard =
                        Arrays.stream(topology.alwaysHeard(server, training.seed()))
                                .map(training::serverId)
                                .mapToObj(Round::worker)
                                .toList();
                require(
                        heard.contains(id),
                        combining() + " %s trusts %s, but %s %s always hears only %s",
                        rule.name(),
                        id,
                        topology.serverWord(),
                        server,
                        String.join(", ", heard));
            }
        }
    }

    /**
     * Checks the number of models that close an exchange: all Byzantine servers may be among them.
     */
    private void checkQuorum(Exchange exchange) {
        int f = exchange.byzantine();
        int q = exchange.quorum();
        int least = Math.max(exchange.rule().minimumRows(f), f + 1);
        require(
                !topology.local(),
                "{serverQuorum} is for servers that all read each other, not for a {graph}");
        require(
                q >= least,
                "{serverAggregator} %s needs %s of the models that close an exchange: with f = %s"
                        + " that is a {serverQuorum} of %s, of at least %s {servers}, got %s of %s",
                exchange.rule().name(),
                exchange.rule().limit(),
                f,
                least,
                least + f,
                q,
                servers);
        require(
                q <= servers - f,
                "{serverQuorum} must be at most n − f = %s so that %s silent servers cannot block"
                        + " an exchange, or n = %s for synchronous exchanges, got %s",
                servers - f,
                f,
                servers,
                q);
        require(
                exchange.liars().count() < q,
                "{serverAttackers} must be below {serverQuorum}, which is %s, got %s",
                q,
                exchange.liars().count());
    }

    private void checkFailover(Failover failover) {
        for (Failover.Crash crash : failover.crashes()) {
            require(
                    crash.server() >= 0 && crash.server() < servers,
                    "{killServer} must name a server below {servers}, which is %s, got %s",
                    servers,
                    crash.server());
        }
        require(
                IntStream.range(0, servers)
                        .anyMatch(
                                server ->
                                        training.rounds() == 0
                                                || !topology.crashed(
                                                        server, training.rounds() - 1)),
                "{killServer} must leave one of the %s {servers} running",
                servers);
        checkAlike("replicas", training.rule());
        checkLie(failover.liars());
        int liars = failover.liars().count();
        if (liars > 0) {
            // A Byzantine primary sees the model that it should send.
            Round round = new Round(servers, liars, 0, training.seed());
            checked("{serverAttack}", () -> failover.liars().attack().check(round, 1));
        }
    }

    /**
     * Refuses parts that need knowledge of a single server, because servers must agree on a round.
     */
    private void checkAlike(String who, Rule... rules) {
        require(
                Plan.FIXED.equals(training.plan()),
                "%s need the same workers in each round, not a {plan}",
                who);
        require(
                training.admission().inStep(),
                "{staleness} must be 0 for %s, got %s",
                who,
                training.admission().staleness());
        for (Rule rule : rules) {
            require(
                    !rule.needsScores(),
                    "%s have no {oracle}, which %s needs for its scores",
                    who,
                    rule.name());
        }
    }

    /** Checks a replica, which knows only the norms of updates of the primary's rounds. */
    private void checkStandby() {
        String rate = training.step().learningRate().name();
        require(
                training.step().optimizer().linear().isPresent(),
                "{replica} bounds a distance by norms of updates, which needs {optimizer} sgd"
                        + " without weight decay");
        require(
                rate.equals("constant") && training.step().learningRate().at(0) > 0,
                "{replica} bounds a distance by norms of updates, which needs a constant"
                        + " {learningRate} above 0, got %s from %s on",
                rate,
                training.step().learningRate().at(0));
        require(
                Plan.FIXED.equals(training.plan()),
                "{replica} needs the same workers in each round: no {elastic} or {reputation}");
        require(
                !training.rule().needsPrevious()
                        && !training.rule().needsScores()
                        && !training.rule().remembers(),
                "{replica} keeps the model alone, but {rule} %s needs more of the rounds before",
                training.rule().name());
        require(
                !training.audited(),
                "{replica} continues without the rounds that were lost, which {audit} needs");
        require(
                !AttackPlan.of(training).onTheWay(),
                "{attack} %s replaces gradients on their way, which fails when {replica}"
                        + " continues without the rounds that were lost",
                training.attackers().name());
    }

    private void checkLiars(Exchange exchange) {
        checkLie(exchange.liars());
        checked("{serverAttack}", () -> AttackPlan.ofServers(training, 0, 0));
    }

    private void checkLie(Attackers liars) {
        require(
                liars.count() <= servers,
                "{serverAttackers} must be at most {servers}, which is %s, got %s",
                servers,
                liars.count());
        require(
                !liars.are(attack -> !attack.forges()),
                "{serverAttack} %s is for workers; servers send models",
                liars.name());
    }
}
