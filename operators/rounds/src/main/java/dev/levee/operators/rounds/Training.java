package dev.levee.operators.rounds;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.learners.Model;

import java.io.Serializable;

/**
 * One training run: everything that the parts of a round need, and nothing about where they run.
 * Its own parts check themselves; what concerns several of them is checked here.
 *
 * @param runId identifies the run in every record; letters, digits or hyphens
 * @param data what workers compute on
 * @param model the model
 * @param workers number of workers, n, as the run starts
 * @param byzantine how many of those who take part in a round the rule has to tolerate, f
 * @param attackers who really attacks, for experiments
 * @param rule the aggregation rule or pipeline
 * @param admission what becomes a row, and when a round closes
 * @param oracle what the server scores contributions on, for rules that need scores; else null
 * @param work what a participant does in a round
 * @param step how the model moves along the aggregate
 * @param plan who takes part in which round, and with which settings
 * @param topology which servers there are
 * @param rounds number of rounds
 * @param evalInterval rounds between evaluations; the final model is always evaluated
 * @param seed seed of everything drawn
 * @param computeThreads gradients computed at a time by each subtask of the workers
 */
public record Training(
        String runId,
        Data data,
        Model model,
        int workers,
        int byzantine,
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
        int computeThreads)
        implements Serializable {

    /**
     * Checks what concerns several parts; each has checked itself.
     *
     * @throws WrongTrainingException if they contradict; one sentence
     */
    public Training(
            String runId,
            Data data,
            Model model,
            int workers,
            int byzantine,
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
            int computeThreads) {
        this.runId = runId;
        this.data = data;
        this.model = model;
        this.workers = workers;
        this.byzantine = byzantine;
        this.attackers = attackers;
        this.rule = rule;
        this.admission = admission;
        this.oracle = oracle;
        this.work = work;
        this.step = step;
        this.plan = plan;
        this.topology = topology;
        this.rounds = rounds;
        this.evalInterval = evalInterval;
        this.seed = seed;
        this.computeThreads = computeThreads;
        checkNumbers();
        checkParticipants();
        plan.check(this);
        checkRounds(plan.at(this, 0));
        checkAttack();
        checkOracle();
    }

    private void checkNumbers() {
        require(
                runId.matches("[0-9A-Za-z-]{1,64}"),
                "{runId} must be 1 to 64 letters, digits or hyphens, got %s",
                runId);
        require(rounds >= 0, "{rounds} must be at least 0, got %s", rounds);
        require(evalInterval >= 1, "{evalInterval} must be at least 1, got %s", evalInterval);
        require(computeThreads >= 1, "{computeThreads} must be at least 1, got %s", computeThreads);
        require(
                !plan.oneOrder() || work.steps() == 1,
                "{plan} with one order of all samples needs {work} of one step, got %s",
                work.steps());
    }

    private void checkParticipants() {
        require(workers >= 1, "{workers} must be at least 1, got %s", workers);
        require(byzantine >= 0, "{byzantine} must not be negative, got %s", byzantine);
        require(
                byzantine < workers,
                "{byzantine} must be below {workers}, which is %s, got %s",
                workers,
                byzantine);
        require(
                attackers.count() <= workers,
                "{attackers} must be at most {workers}, which is %s, got %s",
                workers,
                attackers.count());
        require(
                admission.quorum() <= workers,
                "{quorum} must be at most {workers}, which is %s, got %s",
                workers,
                admission.quorum());
    }

    /** Checks what closes a round. */
    private void checkRounds(Settings first) {
        int n = first.workers();
        int q = first.quorum();
        require(
                q == n || q <= n - byzantine,
                "{quorum} must be at most n − f = %s so that %s silent Byzantine workers cannot"
                        + " hold a round up, or n = %s for synchronous rounds, got %s",
                n - byzantine,
                byzantine,
                n,
                q);
        int least = rule.minimumRows(byzantine);
        require(
                q >= least,
                "{rule} %s needs %s: with f = %s that is %s, got %s",
                rule.name(),
                rule.limit(),
                byzantine,
                q == n ? least + " workers" : "a quorum of " + least,
                q);
        Attack attack = attackers.attack();
        require(
                attack == null
                        || !attack.silent()
                        || admission.timeout() != null
                        || admission.deadline() != null
                        || q <= n - attackers.count(),
                "{attack} silent needs {roundTimeout} or a {quorum} of at most %s: %s of %s workers"
                        + " never answer, so rounds that wait for %s would wait for ever",
                n - attackers.count(),
                attackers.count(),
                n,
                q);
    }

    private void checkAttack() {
        int permanent = permanentWorkers();
        require(
                attackers.count() <= permanent,
                "{attackers} must be among those who take part in every round, %s with this {plan},"
                        + " got %s",
                permanent,
                attackers.count());
        try {
            AttackPlan.of(this);
        } catch (IllegalArgumentException e) {
            throw WrongTrainingException.of(
                    permanent == workers ? "{attack}" : "{attack} with min of {elastic}", e);
        }
    }

    private void checkOracle() {
        require(
                oracle == null || rule.needsScores(),
                "{oracle} is for rules that need scores, which %s does not need",
                rule.name());
        require(
                oracle != null || !rule.needsScores(),
                "{rule} %s needs {oracle} for its scores",
                rule.name());
        require(
                oracle == null || admission.staleness() == 0,
                "{staleness} must be 0 for %s, which scores contributions to the open round's"
                        + " model, got %s",
                rule.name(),
                admission.staleness());
    }

    /** True if the rounds of this run wait for everybody who takes part. */
    public boolean synchronous() {
        return plan.at(this, 0).synchronous();
    }

    /** Workers that are active in every round: the first ids. Attackers are among them. */
    public int permanentWorkers() {
        return plan.permanent(this);
    }

    /** True if worker {@code id} attacks. */
    public boolean attacks(int id) {
        int permanent = permanentWorkers();
        return attackers.attack() != null && id >= permanent - attackers.count() && id < permanent;
    }
}
