package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.checked;
import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Attack;
import dev.levee.gar.GradientScored;
import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.securesum.plan.SumRates;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks that the parts of a training are compatible, except for its servers, which {@link
 * TopologyChecks} checks.
 */
final class TrainingChecks {
    private final Training training;

    private TrainingChecks(Training training) {
        this.training = training;
    }

    /**
     * Checks a training.
     *
     * @throws WrongTrainingException if they are not; one sentence
     */
    static void check(Training training) {
        TrainingChecks checks = new TrainingChecks(training);
        training.work().check(training);
        checks.checkNumbers();
        checks.checkParticipants();
        training.plan().check(training);
        checks.checkRecoverable();
        checks.checkRounds(training.plan().at(training, 0));
        checks.checkAttack();
        checks.checkOracle();
        checks.checkMasks();
        checks.checkCombined();
        checks.checkOrdered();
    }

    private void checkNumbers() {
        require(
                training.runId().matches("[0-9A-Za-z-]{1,64}"),
                "{runId} must be 1 to 64 letters, digits or hyphens, got %s",
                training.runId());
        require(training.rounds() >= 0, "{rounds} must be at least 0, got %s", training.rounds());
        require(
                training.evalInterval() >= 1,
                "{evalInterval} must be at least 1, got %s",
                training.evalInterval());
        require(
                training.computeThreads() >= 1,
                "{computeThreads} must be at least 1, got %s",
                training.computeThreads());
        require(
                !training.plan().oneOrder() || training.work().sharesOrder(),
                "{plan} with one order of all samples needs {work} of one step, got %s",
                training.work().steps());
    }

    private void checkParticipants() {
        require(
                training.workers() >= 1,
                "{workers} must be at least 1, got %s",
                training.workers());
        require(
                training.byzantine() >= 0,
                "{byzantine} must not be negative, got %s",
                training.byzantine());
        require(
                training.byzantine() < training.workers(),
                "{byzantine} must be below {workers}, which is %s, got %s",
                training.workers(),
                training.tolerance());
        require(
                training.attackers().count() <= training.workers(),
                "{attackers} must be at most {workers}, which is %s, got %s",
                training.workers(),
                training.attackers().count());
        require(
                training.admission().quorum().fewestOf(training.workers()) <= training.workers(),
                "{quorum} must be at most {workers}, which is %s, got %s",
                training.workers(),
                training.admission().quorum());
    }

    /** Checks the conditions that close a round. */
    private void checkRounds(Settings first) {
        int n = first.workers();
        int q = first.quorum();
        int byzantine = first.f();
        require(
                q == n || q <= n - byzantine,
                "{quorum} must be at most n − f = %s so that %s silent Byzantine workers cannot"
                        + " block a round, or n = %s for synchronous rounds, got %s",
                n - byzantine,
                byzantine,
                n,
                q);
        Rule rule = training.workersRule().among(n);
        int least = rule.minimumRows(byzantine);
        require(
                q >= least,
                "{rule} %s needs %s: with f = %s that is %s, got %s",
                training.rule().name(),
                training.rule().limit(),
                byzantine,
                q == n ? least + " workers" : "a quorum of " + least,
                q);
        require(
                training.topology().local() || q > byzantine,
                "{quorum} must be above f = %s, so that Byzantine workers alone cannot close a round, got %s",
                byzantine,
                q);
        require(
                !training.attackers().are(Attack::silent)
                        || !training.admission().waits()
                        || training.admission().masking().rates().isPresent()
                        || q <= n - training.attackers().count(),
                "{attack} silent needs {roundTimeout} or a {quorum} of at most %s: %s of %s workers"
                        + " never answer, so rounds that wait for %s would never end",
                n - training.attackers().count(),
                training.attackers().count(),
                n,
                q);
        checked("{rule}", () -> rule.check(training.admission().fullest(n), byzantine));
        checkTrusted(rule);
    }

    /** Checks that the workers that the rule trusts take part in every round. */
    private void checkTrusted(Rule rule) {
        int permanent = training.permanentWorkers();
        for (String id : rule.trusted()) {
            require(
                    IntStream.range(0, permanent).mapToObj(Round::worker).anyMatch(id::equals),
                    "{rule} %s trusts %s, but the workers that take part in every round are %s",
                    rule.name(),
                    id,
                    permanent == 0
                            ? "none"
                            : Round.worker(0) + " to " + Round.worker(permanent - 1));
        }
    }

    private void checkAttack() {
        int suspects = training.suspects();
        require(
                training.attackers().count() <= suspects,
                "{attackers} must be among those who take part in every round, %s with this {plan},"
                        + " got %s",
                suspects,
                training.attackers().count());
        checked(
                suspects == training.workers() ? "{attack}" : "{attack} with min of {elastic}",
                () -> AttackPlan.of(training));
    }

    private void checkOracle() {
        Oracle oracle = training.oracle();
        String rule = training.rule().name();
        if (oracle == null) {
            require(
                    !training.rule().needsScores(),
                    "{rule} %s needs {oracle} for its scores",
                    rule);
            return;
        }
        require(
                training.rule().needsScores(),
                "{oracle} is for rules that need scores, which %s does not need",
                rule);
        require(
                oracle.every() == 1 || training.rule() instanceof GradientScored,
                "{oracleEvery} is for rules that are scored by a gradient, such as zeno++, got %s"
                        + " with %s",
                oracle.every(),
                rule);
        // Otherwise, the loop edge may skip a version when a later one is available.
        require(
                oracle.every() == 1 || training.plan().at(training, 0).pulls() != null,
                "{oracleEvery} must be 1 unless workers pull models without a barrier, got %s",
                oracle.every());
        require(
                training.admission().inStep(),
                "{staleness} must be 0 for %s, which scores contributions to the open round's"
                        + " model, got %s",
                rule,
                training.admission().staleness());
    }

    /** Checks a training that adds up contributions in transit. */
    private void checkCombined() {
        if (!training.admission().combined()) {
            return;
        }
        require(
                training.rule().averages(),
                "{combine} adds gradients up before they reach the server, but {rule} %s looks at"
                        + " each of them; average does not",
                training.rule().name());
        require(
                training.topology().servers() == 1 && !training.topology().exchanges(),
                "{combine} is for runs with one server, got %s",
                training.topology().servers());
        require(
                training.plan() instanceof FixedPlan && training.admission().plain(),
                "{combine} is for rounds in which every worker answers the newest model: no"
                        + " {elastic}, {reputation} or {staleness}");
        require(
                !AttackPlan.of(training).onTheWay(),
                "{attack} %s changes gradients on their way, after {combine} has added them up",
                training.attackers().name());
    }

    /** Checks a training with ordered transfers. */
    private void checkOrdered() {
        if (!training.admission().ordered()) {
            return;
        }
        require(
                !training.admission().inStep() && !training.synchronous(),
                "{transfers} orders the gradients of rounds that do not wait for all workers: it"
                        + " needs a {staleness} of at least 1 and a {quorum} below {workers}");
        require(
                training.plan() instanceof FixedPlan
                        && training.topology().servers() == 1
                        && training.admission().waits(),
                "{transfers} is for one server whose rounds all workers take part in: no {servers},"
                        + " {elastic}, {reputation} or {roundTimeout}");
        require(
                !AttackPlan.of(training).onTheWay(),
                "{attack} %s makes up gradients on their way, which no worker announces for"
                        + " {transfers}",
                training.attackers().name());
    }

    private void checkRecoverable() {
        Optional<SumRates> rates = training.admission().masking().rates();
        require(
                rates.isPresent() || !training.attackers().are(attack -> attack.sumSteps() > 0),
                "{attack} %s leaves during a secure sum: it needs {secureSum}",
                training.attackers().name());
        if (rates.isEmpty()) {
            return;
        }
        checked("{secureSum}", () -> rates.get().plan(training.plan().at(training, 0).workers()));
        require(
                !AttackPlan.of(training).onTheWay(),
                "{attack} %s changes contributions on their way, where {secureSum} has masked them;"
                        + " silent and label-flip do not",
                training.attackers().name());
        require(
                !training.topology().exchanges() && !training.audited(),
                "{secureSum} is for one server without {audit}, which looks at rows");
    }

    private void checkMasks() {
        boolean open = !training.admission().masking().hides();
        require(
                open || training.topology().standby() == null,
                "{replica} continues without the rounds that were lost, whose masks {secureSum} needs");
        require(
                open
                        || training.rule().averages()
                                && training.byzantine() == 0
                                && training.topology().servers() == 1
                                && training.admission().inStep(),
                "{secureSum} is for one server that adds up what all devices of a round have sent: "
                        + "{rule} average, and no {byzantine} or {staleness}, got %s with f = %s",
                training.rule().name(),
                training.byzantine());
    }
}
