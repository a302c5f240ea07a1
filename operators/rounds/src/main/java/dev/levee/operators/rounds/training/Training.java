package dev.levee.operators.rounds.training;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.topology.Topology;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The definition of a training run, independent of where its parts run. Each part checks itself;
 * this record checks that parts are compatible.
 *
 * @param runId identifies the run in every record; letters, digits or hyphens
 * @param data the workers' data
 * @param model the model
 * @param workers number of workers, n, at the start of the run
 * @param tolerance number of Byzantine participants of a round that the rule must tolerate, f; a
 *     share is rounded down
 * @param attackers the actual attackers, for experiments
 * @param rule the aggregation rule or pipeline
 * @param admission decides which contributions become rows, and when a round closes
 * @param oracle the samples on which the server scores contributions; null for rules that need no
 *     scores
 * @param work the work of a participant in a round
 * @param step the server's step along the aggregate
 * @param plan the participants and settings of each round
 * @param topology the servers
 * @param rounds number of rounds
 * @param evalInterval rounds between evaluations; the final model is always evaluated
 * @param seed seed of all random choices
 * @param computeThreads gradients computed at a time by each subtask of the workers
 * @param audited true if each round of workers leaves a {@link
 *     dev.levee.operators.rounds.report.RoundTrace}
 */
public record Training(
        String runId,
        Data data,
        Model model,
        int workers,
        CountOrShare tolerance,
        Attackers attackers,
        Rule rule,
        Admission admission,
        Oracle oracle,
        Work work,
        ServerStep step,
        Plan plan,
        Topology topology,
        long rounds,
        int evalInterval,
        long seed,
        int computeThreads,
        boolean audited)
        implements Serializable {
    /** The rule for a node's own gradient. */
    private static final Rule ITSELF = Rules.parse("average");

    /**
     * Returns this training after checking that its parts are compatible.
     *
     * @throws WrongTrainingException if they are not; one sentence
     */
    Training checked() {
        TrainingChecks.check(this);
        TopologyChecks.check(this);
        return this;
    }

    /**
     * Checks that the attacks can forge rows of the model's size, which is known only once the
     * model is open.
     *
     * @param dimension length of the model's flat vector
     * @throws WrongTrainingException if they cannot; one sentence
     */
    public void checkLength(int dimension) {
        checkLength("{attack}", attackers, dimension);
        if (topology.exchanges()) {
            checkLength("{serverAttack}", topology.exchange().liars(), dimension);
        }
        if (topology.failover() != null) {
            checkLength("{serverAttack}", topology.failover().liars(), dimension);
        }
    }

    private static void checkLength(String option, Attackers attackers, int dimension) {
        if (attackers.count() > 0) {
            WrongTrainingException.checked(option, () -> attackers.attack().checkLength(dimension));
        }
    }

    /** Number of Byzantine workers to tolerate in a round of all workers at the start. */
    public int byzantine() {
        return byzantine(workers);
    }

    /** Number of Byzantine workers to tolerate in a round with n participants. */
    public int byzantine(int n) {
        return tolerance.mostOf(n);
    }

    /** The moment of a model's version in the run. */
    public Moment moment(long version) {
        return topology.moment(version, rounds);
    }

    /**
     * The number of a round for the random choices of attacks and rules. Only rounds of workers
     * count, so servers that exchange models draw the same as a single server.
     */
    public long drawing(long version) {
        Moment moment = moment(version);
        return moment.ofWorkers() ? moment.iteration() : version;
    }

    /**
     * True if contributions to a later round may arrive before it is open. Other servers may be one
     * exchange ahead of a server that they wait for, and a plan may request more than the open
     * round needs.
     *
     * @param version the version that the server has
     * @param other a later version
     */
    public boolean opensBeforeLong(long version, long other) {
        long ahead = topology.linked() ? topology.farthestBehind(rounds) : plan.ahead();
        return other <= version + ahead;
    }

    /** Most contributions of one sender to later rounds that a shard may have to hold. */
    public int mostAhead() {
        return topology.linked() ? topology.mostAhead() : plan.mostAhead();
    }

    /**
     * True if blocks of a contribution may come from different processes: nothing needs the whole
     * contribution in transit, and only contributions to the open round's model count.
     */
    public boolean blockwise() {
        return work.blockwise()
                && admission.plain()
                && !admission.combined()
                && !admission.ordered()
                && topology.equals(Topology.ONE)
                && !plan.measuresNoise();
    }

    /** The rule of the round that a version of a server's model opens. */
    public Rule rule(int server, long version) {
        if (moment(version).ofWorkers()) {
            return workersRule();
        }
        return topology.exchange().rule().as(Round.worker(serverId(server)));
    }

    /** The rule for rounds of workers: on a graph, a node steps along its own gradient. */
    public Rule workersRule() {
        return topology.local() ? ITSELF : rule;
    }

    /** Number of ids: participants first, then servers if they exchange models. */
    public int ids() {
        return plan.participants(this) + (topology.exchanges() ? topology.servers() : 0);
    }

    /** The id of a server in rounds whose participants are servers. */
    public int serverId(int server) {
        return plan.participants(this) + server;
    }

    /** A description of the participant or server with an id. */
    public String who(int id) {
        int participants = plan.participants(this);
        return id < participants ? "worker " + id : "server " + (id - participants);
    }

    /**
     * The messages of a server to the servers that hear it, as contributions to their rounds.
     *
     * @param said its offer for an exchange
     * @param now microseconds since the epoch
     */
    public List<GradientBlock> told(ModelBlock said, long now) {
        Header header = said.header();
        return Arrays.stream(topology.hearing(said.shard().server(), seed, said.round()))
                .mapToObj(
                        listener ->
                                new GradientBlock(
                                        Header.gradient(
                                                header.run(),
                                                header.round(),
                                                serverId(said.shard().server()),
                                                new ShardId(listener, header.block())),
                                        topology.weight(listener, said.shard().server(), seed),
                                        Double.NaN,
                                        now,
                                        now,
                                        said.values()))
                .toList();
    }

    /**
     * True if servers report the distances between models in the exchange of a version: in the
     * first exchange after an evaluation was due, and in the last.
     */
    public boolean measuresExchange(long version) {
        Moment moment = moment(version);
        if (moment.stage() != Moment.Stage.MODELS) {
            return false;
        }
        long done = moment.iteration() + 1;
        long before = Math.max(0, done - topology.exchange().every());
        return done == rounds || done / evalInterval > before / evalInterval;
    }

    /** True if the model of a round is evaluated, in a run whose progress is its rounds. */
    public boolean evaluates(long round) {
        return round >= rounds || round % evalInterval == 0;
    }

    /**
     * The settings of a round, which follow from its number and its participants.
     *
     * @param cohort the participants
     */
    public Settings settings(long round, Cohort cohort) {
        boolean stop = round >= rounds;
        return new Settings(
                cohort,
                byzantine(cohort.size()),
                admission.quorum(cohort.size()),
                data.batchSize(),
                stop ? 0 : step.learningRate().at(round),
                stop,
                evaluates(round),
                round * cohort.size() * data.batchSize(),
                stop ? null : admission.deadline());
    }

    /** The settings of a version of which only the number is known. */
    public Settings settings(int server, long version) {
        return settings(server, version, PlanState.NONE);
    }

    /** The settings of a version with the plan's state, if known. */
    public Settings settings(int server, long version, PlanState state) {
        Moment moment = moment(version);
        Settings settings = plan.at(this, moment.iteration(), state);
        return moment.ofWorkers()
                ? working(server, moment.iteration(), settings)
                : exchanging(server, version, settings);
    }

    /** The settings of a round of workers at one server. */
    public Settings working(int server, long iteration, Settings all) {
        if (topology.crashed(server, iteration)) {
            return all.stopped();
        }
        return topology.local() ? all.among(Cohort.of(server), 0, 1) : all;
    }

    /**
     * The settings of a round in which servers are the participants.
     *
     * @param before the settings of the previous round
     */
    public Settings exchanging(int server, long version, Settings before) {
        int[] heard = topology.heardBy(server, seed, version);
        int[] ids = Arrays.stream(heard).map(this::serverId).toArray();
        return new Settings(
                Cohort.of(ids),
                topology.exchange().byzantine(),
                topology.quorum(ids.length),
                before.batchSize(),
                before.learningRate(),
                false,
                false,
                before.samples());
    }

    /** True if the rounds of this run wait for all participants. */
    public boolean synchronous() {
        Settings first = plan.at(this, 0);
        return first.quorum() == first.workers();
    }

    /** Number of workers that are active in every round, which have the first ids. */
    public int permanentWorkers() {
        return plan.permanent(this);
    }

    /** A number of ids; the attackers are the last ids below it. */
    public int suspects() {
        return plan.foreseen() ? workers : permanentWorkers();
    }

    /** True if worker {@code id} attacks. */
    public boolean attacks(int id) {
        int suspects = suspects();
        return id >= suspects - attackers.count() && id < suspects;
    }

    /** True if worker {@code id} attacks, and the attack satisfies the condition. */
    public boolean attacks(int id, Predicate<Attack> kind) {
        return attackers.are(kind) && attacks(id);
    }
}
