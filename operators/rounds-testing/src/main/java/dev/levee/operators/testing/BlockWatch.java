package dev.levee.operators.testing;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.Shard;
import dev.levee.operators.rounds.Training;

import java.util.Arrays;

/** What one shard should hold and answer, kept apart from it. */
final class BlockWatch {
    private final Training training;
    private final long run;
    private final int block;
    private final int length;
    private long version;
    private float[][] rows;
    private boolean[] refused;
    private int[] lastRows = new int[0];

    BlockWatch(Training training, long run, int block, int length) {
        this.training = training;
        this.run = run;
        this.block = block;
        this.length = length;
        open(training.workers());
    }

    private void open(int workers) {
        rows = new float[workers][];
        refused = new boolean[workers];
    }

    BlockWatch copy() {
        BlockWatch copy = new BlockWatch(training, run, block, length);
        copy.version = version;
        copy.rows = rows.clone();
        copy.refused = refused.clone();
        copy.lastRows = lastRows;
        return copy;
    }

    long version() {
        return version;
    }

    /** What the shard has to say to a gradient, null if it has to take it. */
    Rejection judge(GradientBlock gradient) {
        int worker = gradient.header().sender();
        long age = version - gradient.header().round();
        if (worker < 0 || worker >= rows.length) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (gradient.header().run() != run || age < 0) {
            return Rejection.STALE;
        }
        if (age == 1 && Arrays.stream(lastRows).anyMatch(w -> w == worker)) {
            return Rejection.DUPLICATE;
        }
        if (age > 0) {
            return age > Shard.MEMORY ? Rejection.STALE : Rejection.LATE;
        }
        if (rows[worker] != null || refused[worker]) {
            return Rejection.DUPLICATE;
        }
        Rejection proof = prove(gradient);
        refused[worker] = proof != null;
        rows[worker] = proof == null ? gradient.values() : null;
        return proof;
    }

    private Rejection prove(GradientBlock gradient) {
        if (gradient.header().block() != block || gradient.values().length != length) {
            return Rejection.WRONG_SIZE;
        }
        if (training.nonFinite() == Training.NonFinite.REJECT) {
            for (float value : gradient.values()) {
                if (!Float.isFinite(value)) {
                    return Rejection.NON_FINITE;
                }
            }
        }
        return null;
    }

    /**
     * The round is over: the rows it was made of, null where one had not arrived.
     *
     * @param next how many workers the next round has
     */
    float[][] close(int[] workers, int next) {
        float[][] taken = new float[workers.length][];
        Arrays.setAll(taken, i -> rows[workers[i]]);
        version++;
        lastRows = workers;
        open(next);
        return taken;
    }
}
