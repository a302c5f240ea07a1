package dev.levee.connectors.kafka.worker;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;

import java.util.ArrayList;
import java.util.List;

/** Makes the row that a Byzantine worker of an experiment sends. */
final class Forger {
    private static final float[][] NONE_SEEN = new float[0][];

    private final Attack attack;
    private final int worker;
    private final long seed;
    private final Slices slices;

    Forger(Attack attack, int worker, long seed, Slices slices) {
        this.attack = attack;
        this.worker = worker;
        this.seed = seed;
        this.slices = slices;
    }

    /**
     * Checks that a worker can attack so alone.
     *
     * @throws IllegalArgumentException if it has to see other workers' gradients; one sentence
     */
    static void check(Attack attack) {
        if (attack != null && attack.sees() == Attack.Sees.HONEST) {
            throw new IllegalArgumentException(
                    "%s makes its lie of the honest workers' gradients, which a worker outside does not see"
                            .formatted(attack.name()));
        }
    }

    /** True if what is sent is made up from the gradient; silence and labels begin earlier. */
    static boolean forges(Attack attack) {
        return attack != null && attack.forges();
    }

    /** The same blocks with other values. */
    List<GradientBlock> forge(List<GradientBlock> honest, Settings settings) {
        Round round =
                new Round(settings.workers(), settings.f(), honest.get(0).header().round(), seed);
        List<GradientBlock> forged = new ArrayList<>();
        if (attack.whole()) {
            float[] own = new float[slices.dimension()];
            for (int block = 0; block < honest.size(); block++) {
                float[] values = honest.get(block).values();
                System.arraycopy(values, 0, own, slices.offset(block), values.length);
            }
            float[] row = forge(0, round, own);
            for (int block = 0; block < honest.size(); block++) {
                float[] values = new float[slices.length(block)];
                System.arraycopy(row, slices.offset(block), values, 0, values.length);
                forged.add(honest.get(block).with(values));
            }
            return forged;
        }
        for (GradientBlock block : honest) {
            forged.add(block.with(forge(block.header().block(), round, block.values())));
        }
        return forged;
    }

    private float[] forge(int block, Round round, float[] own) {
        float[] seen = attack.sees() == Attack.Sees.OWN ? own : null;
        return attack.forge(worker, block, round, seen, NONE_SEEN, own.length);
    }
}
