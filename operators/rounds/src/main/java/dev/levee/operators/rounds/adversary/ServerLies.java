package dev.levee.operators.rounds.adversary;

import dev.levee.gar.Round;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Forges the models that Byzantine servers show to workers that read all servers. Byzantine servers
 * see the honest models first, and show the same model to every worker.
 */
public final class ServerLies {
    private final AttackPlan plan;
    private final Slices slices;

    /** Creates the forgery for a training's servers. */
    public ServerLies(Training training, Slices slices) {
        plan = AttackPlan.ofServers(training, 0, 0);
        this.slices = slices;
    }

    /** True if any server is Byzantine. */
    public boolean any() {
        return plan.onTheWay();
    }

    /**
     * The models that workers receive from all servers.
     *
     * @param models of all servers, in order; not written
     * @param version the version of all of them
     */
    public float[][] told(float[][] models, long version) {
        return told(models, IntStream.range(0, models.length).toArray(), version);
    }

    /**
     * The models that a worker receives if it waits for these servers only. Byzantine servers have
     * seen the honest models among them.
     *
     * @param servers the servers of the models, in order
     */
    public float[][] told(float[][] models, int[] servers, long version) {
        if (!any()) {
            return models;
        }
        int honest = 0;
        while (honest < servers.length
                && !plan.attacks(plan.suspects().first() + servers[honest])) {
            honest++;
        }
        float[][] seen = Arrays.copyOf(models, honest);
        Round round = plan.known(version, null, Header.EVERYONE);
        float[][] sent = models.clone();
        for (int liar = honest; liar < models.length; liar++) {
            sent[liar] =
                    liar > honest && plan.attack().shared()
                            ? sent[honest]
                            : plan.attack()
                                    .forgeRow(
                                            plan.suspects().first() + servers[liar],
                                            round,
                                            models[liar],
                                            seen,
                                            slices.dimension(),
                                            slices.blockSize());
        }
        return sent;
    }
}
