package dev.levee.operators.rounds;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;

import java.io.Serializable;

/**
 * Who attacks how.
 *
 * @param attack what attackers send
 * @param workers number of workers, ids 0 to workers − 1; of an elastic run those that are always
 *     active, and what others send passes unseen
 * @param attackers how many of them attack; they are the last ids
 * @param quorum gradients that close a round: the attackers send once quorum − attackers honest
 *     rows are there
 * @param seed seed of what attacks draw
 * @param run the run that the records of workers carry ({@link Header#run}), null for any
 */
public record AttackPlan(Attack attack, int workers, int attackers, int quorum, long seed, Long run)
        implements Serializable {
    /** A plan for whatever run the records belong to. */
    public AttackPlan(Attack attack, int workers, int attackers, int quorum, long seed) {
        this(attack, workers, attackers, quorum, seed, null);
    }

    /** Checks the numbers, and that the attack works with them. */
    public AttackPlan {
        if (attackers < 0 || attackers > workers) {
            throw new IllegalArgumentException(
                    "attackers must be 0 to "
                            + workers
                            + " of "
                            + workers
                            + " workers, got "
                            + attackers);
        }
        if (attack != null && attackers > 0) {
            attack.check(new Round(workers, attackers, 0, seed), honestSeen(quorum, attackers));
        }
    }

    /** The plan of a training. */
    public static AttackPlan of(Training training) {
        return of(training, Header.run(training.runId()));
    }

    /** The plan of a training whose records carry this run. */
    public static AttackPlan of(Training training, long run) {
        return new AttackPlan(
                training.attackers().attack(),
                training.permanentWorkers(),
                training.attackers().count(),
                Math.min(training.admission().quorum(), training.permanentWorkers()),
                training.seed(),
                run);
    }

    /** True if a worker attacks. */
    public boolean attacks(int worker) {
        return attack != null && worker >= workers - attackers;
    }

    /** How many honest rows the attackers see before they send. */
    public int honestSeen() {
        return honestSeen(quorum, attackers);
    }

    private static int honestSeen(int quorum, int attackers) {
        return Math.max(1, quorum - attackers);
    }

    /**
     * True if what attackers send is replaced on its way; silence and flipped labels begin at the
     * worker.
     */
    public boolean onTheWay() {
        return attack != null && attackers > 0 && !attack.silent() && !attack.flipsLabels();
    }
}
