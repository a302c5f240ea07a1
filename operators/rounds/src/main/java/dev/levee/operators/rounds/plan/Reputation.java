package dev.levee.operators.rounds.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

/**
 * A plan that excludes workers that were proven faulty too often. Such a worker is left out for
 * some rounds, and then trusted until its next proven fault. NaN or infinity, a block of the wrong
 * size, or two different signed blocks for one place prove a fault. Late or missing contributions
 * prove no fault, and neither do wrong signatures, which prove nothing about the named worker. A
 * worker that is left out was among the f that the rule tolerates, so without e of them the rule
 * has n − e rows and tolerates f − e. No more than f are left out at a time: with more proven
 * faults, the run's assumption is wrong.
 *
 * @param faults number of rounds with a proven fault after which a worker is left out; each later
 *     fault leaves it out again
 * @param rounds number of rounds for which it is left out
 */
public record Reputation(int faults, int rounds) implements Plan {
    /**
     * Checks the numbers.
     *
     * @throws WrongTrainingException if one is invalid; one sentence
     */
    public Reputation {
        require(
                faults >= 1 && rounds >= 1,
                "{reputation} needs at least 1 fault and 1 round, got %s and %s",
                faults,
                rounds);
    }

    @Override
    public void check(Training training) {
        require(
                training.byzantine() >= 1,
                "{reputation} needs {byzantine} of at least 1, because it excludes at most that"
                        + " many workers, got %s",
                training.tolerance());
        require(
                training.topology().servers() == 1,
                "{reputation} needs one server, because several would each judge on their own, got %s"
                        + " {servers}",
                training.topology().servers());
        require(
                training.admission().provesNonFinite(),
                "{reputation} needs {nonFinite} reject, because a gradient that is kept proves no fault");
        int n = training.workers();
        int quorum = training.admission().quorum(n);
        require(
                quorum < n
                        || training.attackers().count() == 0
                        || !training.attackers().are(a -> a.sees() == Attack.Sees.HONEST),
                "{reputation} needs a {quorum} of at most n − f = %s with {attack} %s, whose"
                        + " attackers would wait for rows of excluded workers, too, got %s",
                n - training.byzantine(),
                training.attackers().name(),
                quorum);
    }

    @Override
    public Settings at(Training training, long round) {
        require(round == 0, "the version does not determine whom {reputation} excludes");
        return training.settings(0, Cohort.first(training.workers()));
    }

    /**
     * Restores a planner from the state, because the state tells which workers are left out.
     *
     * @throws WrongTrainingException if the state is of a training with more workers, or leaves out
     *     more than f; one sentence
     */
    @Override
    public Settings at(Training training, long round, PlanState state) {
        int judged = state.values().length / 2;
        if (judged == 0) {
            return at(training, round);
        }
        require(
                judged <= training.workers(),
                "its {reputation} is of %s {workers}, got %s",
                judged,
                training.workers());
        Settings settings = new ReputationPlanner(training, this, state).at(round);
        require(
                settings.f() >= 0,
                "its {reputation} excludes %s workers, more than {byzantine} %s",
                training.workers() - settings.workers(),
                training.byzantine());
        return settings;
    }

    @Override
    public boolean remembers() {
        return true;
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return new ReputationPlanner(training, this, state);
    }
}
