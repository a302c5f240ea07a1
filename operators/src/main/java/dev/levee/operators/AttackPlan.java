package dev.levee.operators;

import dev.levee.gar.Attack;

import java.io.Serializable;

/**
 * Who attacks how.
 *
 * @param attack what attackers send
 * @param workers number of workers, ids 0 to workers − 1
 * @param attackers how many of them attack; they are the last ids
 * @param quorum gradients that close a round: the attackers send once quorum − attackers honest
 *     rows are there
 * @param seed seed of what attacks draw
 */
public record AttackPlan(Attack attack, int workers, int attackers, int quorum, long seed)
        implements Serializable {
    /** Checks the numbers. */
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
    }

    /** The plan of a training. */
    public static AttackPlan of(Training training) {
        return new AttackPlan(
                training.attack(),
                training.workers(),
                training.attackers(),
                training.quorum(),
                training.seed());
    }

    /** True if a worker attacks. */
    public boolean attacks(int worker) {
        return attack != null && worker >= workers - attackers;
    }

    /**
     * True if what attackers send is replaced on its way; silence and flipped labels begin at the
     * worker.
     */
    public boolean onTheWay() {
        return attack != null && attackers > 0 && !attack.silent() && !attack.flipsLabels();
    }
}
