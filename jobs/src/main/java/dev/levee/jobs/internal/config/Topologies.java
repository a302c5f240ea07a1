package dev.levee.jobs.internal.config;

import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Graph;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Standby;
import dev.levee.operators.rounds.topology.Topology;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates the topology of a run from its configuration. */
final class Topologies {
    private static final Pattern CRASH = Pattern.compile("(\\d{1,9})@round:(\\d{1,18})");

    private Topologies() {}

    /**
     * Returns the topology of a run.
     *
     * @param rule the rule for gradients, or for models if nodes do not send gradients
     * @throws IllegalArgumentException if options exclude each other; one sentence
     */
    static Topology of(RunConfig config, Rule rule) {
        boolean decentralised = config.topology() == TopologyKind.DECENTRALISED;
        int servers = config.servers() == null ? 1 : config.servers();
        if (decentralised || servers > 1) {
            refuse("is for one server", "--replica", config.replica());
        }
        if (!decentralised) {
            refuse("is for --topology decentralised", "--nodes", config.nodes());
            refuse("is for --topology decentralised", "--contract", config.contract());
            refuse("is for --topology decentralised", "--graph", config.graph());
            refuse("is for --topology decentralised", "--peers", config.peers());
        }
        if (config.topology() == TopologyKind.CRASH_TOLERANT) {
            return crashTolerant(config, servers);
        }
        refuse("is for --topology crash-tolerant", "--kill-server", config.killServer());
        refuse("is for --topology crash-tolerant", "--failover-timeout", config.failoverTimeout());
        if (decentralised) {
            refuse("is for replicated servers: nodes have --nodes", "--servers", config.servers());
            refuse(
                    "is for replicated servers: a node reads its own model",
                    "--worker-models",
                    config.workerModels());
            if (!local(config)) {
                return Topology.decentralised(config.workers(), exchange(config, true));
            }
            refuse(
                    "is replaced by --aggregator where nodes have a --graph",
                    "--server-aggregator",
                    config.serverAggregator());
            refuse(
                    "is for nodes that all read each other, not for a --graph",
                    "--server-quorum",
                    config.serverQuorum());
            return Topology.gossip(config.workers(), gossip(config, rule), graph(config));
        }
        if (servers == 1) {
            Map<String, Object> several = new LinkedHashMap<>();
            several.put("--topology replicated", config.topology());
            several.put("--byzantine-servers", config.byzantineServers());
            several.put("--server-aggregator", config.serverAggregator());
            several.put("--server-quorum", config.serverQuorum());
            several.put("--server-attack", config.serverAttack());
            several.put("--server-attackers", config.serverAttackers());
            several.put("--worker-models", config.workerModels());
            several.put("--contract-every", config.contractEvery());
            several.forEach(
                    (option, value) -> refuse("needs --servers of at least 2", option, value));
            return config.replica() == null
                    ? Topology.ONE
                    : Topology.standingBy(new Standby(config.replica()));
        }
        Reading reading =
                config.workerModels() == ModelReading.PER_SERVER
                        ? Reading.PER_SERVER
                        : Reading.AGGREGATE;
        return new Topology(servers, reading, exchange(config, false));
    }

    /** Returns true if nodes do not send their gradients to others. */
    static boolean local(RunConfig config) {
        boolean pulled = config.peers() != null && !config.peers().strip().equals("all");
        return config.graph() != null || pulled;
    }

    private static Graph graph(RunConfig config) {
        String name = Objects.requireNonNullElse(config.graph(), "complete");
        Graph graph = Values.named("--graph", () -> Graph.parse(name));
        return config.peers() == null
                ? graph
                : Values.named("--peers", () -> graph.pulling(config.peers()));
    }

    private static Topology crashTolerant(RunConfig config, int servers) {
        if (servers < 2) {
            throw new IllegalArgumentException(
                    "--topology crash-tolerant needs --servers of at least 2");
        }
        String why = "is for servers that exchange models, which crash-tolerant ones do not";
        refuse(why, "--byzantine-servers", config.byzantineServers());
        refuse(why, "--server-aggregator", config.serverAggregator());
        refuse(why, "--server-quorum", config.serverQuorum());
        refuse(why, "--worker-models", config.workerModels());
        refuse(why, "--contract-every", config.contractEvery());
        List<Failover.Crash> crashes =
                config.killServer() == null
                        ? List.of()
                        : Arrays.stream(config.killServer().split(",", -1))
                                .map(Topologies::crash)
                                .toList();
        Duration timeout = Objects.requireNonNullElse(config.failoverTimeout(), Failover.TIMEOUT);
        return Topology.crashTolerant(servers, new Failover(timeout, crashes, liars(config, 1)));
    }

    private static Failover.Crash crash(String text) {
        Matcher matcher = CRASH.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--kill-server must be like 0@round:200, got " + text);
        }
        return new Failover.Crash(
                Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    private static void refuse(String why, String option, Object given) {
        if (given != null) {
            throw new IllegalArgumentException(option + " " + why);
        }
    }

    private static Exchange exchange(RunConfig config, boolean decentralised) {
        Rule rule =
                Values.named(
                        "--server-aggregator",
                        () ->
                                Rules.parse(
                                        Objects.requireNonNullElse(
                                                config.serverAggregator(), "median")));
        int byzantine =
                Objects.requireNonNullElse(
                        config.byzantineServers(), decentralised ? byzantine(config) : 0);
        int every = Objects.requireNonNullElse(config.contractEvery(), 1);
        Exchange waiting =
                new Exchange(rule, byzantine, every, contraction(config), liars(config, byzantine));
        return config.serverQuorum() == null ? waiting : waiting.closingWith(config.serverQuorum());
    }

    /** The number of Byzantine nodes. */
    private static int byzantine(RunConfig config) {
        return config.byzantine().mostOf(config.workers());
    }

    /**
     * On a graph, Byzantine nodes attack with their models, whether --attack or --server-attack
     * names the attack.
     */
    private static Exchange gossip(RunConfig config, Rule rule) {
        refuse(
                "is replaced by --attackers where nodes have a --graph",
                "--server-attackers",
                config.serverAttackers());
        int byzantine = Objects.requireNonNullElse(config.byzantineServers(), byzantine(config));
        int every = Objects.requireNonNullElse(config.contractEvery(), 1);
        Attackers liars =
                config.serverAttack() != null
                        ? liars(config, config.attackers())
                        : new Attackers(Resolver.attack(config), config.attackers());
        return new Exchange(rule, byzantine, every, contraction(config), liars);
    }

    private static Attackers liars(RunConfig config, int byzantine) {
        if (config.serverAttack() == null) {
            refuse("needs --server-attack", "--server-attackers", config.serverAttackers());
        }
        Attack attack = Values.attack("--server-attack", config.serverAttack());
        if (attack != null && config.serverAttackers() == null && byzantine == 0) {
            throw new IllegalArgumentException(
                    "--server-attack %s needs --%s of at least 1"
                            .formatted(
                                    config.serverAttack(),
                                    local(config)
                                            ? "attackers"
                                            : "server-attackers or --byzantine-servers"));
        }
        return new Attackers(
                attack, Objects.requireNonNullElse(config.serverAttackers(), byzantine));
    }

    private static Contraction contraction(RunConfig config) {
        String contract = config.contract();
        if (contract == null) {
            return Contraction.NONE;
        }
        if (contract.equals("log")) {
            return Contraction.LOGARITHMIC;
        }
        try {
            int steps = Integer.parseInt(contract);
            if (steps >= 0) {
                return new Contraction(steps);
            }
        } catch (NumberFormatException e) {
            // The error below reports it.
        }
        throw new IllegalArgumentException(
                "--contract must be a number of exchanges or log, got " + contract);
    }
}
