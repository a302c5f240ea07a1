package dev.levee.operators.testing;

import dev.levee.operators.rounds.Admission;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Shard;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;

/** What one shard should hold and answer, kept apart from it. */
final class BlockWatch {
    private final Training training;
    private final long run;
    private final ShardId id;
    private final int length;
    private long version;
    private Cohort cohort;
    private final TreeMap<Integer, float[]> rows = new TreeMap<>();
    private final TreeSet<Integer> refused = new TreeSet<>();
    private int[] lastRows = new int[0];

    BlockWatch(Training training, long run, ShardId id, int length) {
        this.training = training;
        this.run = run;
        this.id = id;
        this.length = length;
        open(training.plan().at(training, 0));
    }

    private void open(Settings settings) {
        cohort = settings.cohort();
        rows.clear();
        refused.clear();
    }

    BlockWatch copy() {
        BlockWatch copy = new BlockWatch(training, run, id, length);
        copy.version = version;
        copy.cohort = cohort;
        copy.rows.putAll(rows);
        copy.refused.addAll(refused);
        copy.lastRows = lastRows;
        return copy;
    }

    long version() {
        return version;
    }

    /**
     * True if this block of a contribution is what its shard has taken, as far as it still knows.
     */
    boolean holds(long round, int worker, float[] contribution, Slices slices) {
        int from = slices.offset(id.block());
        return round != version
                || Arrays.equals(
                        rows.get(worker), Arrays.copyOfRange(contribution, from, from + length));
    }

    /** What the shard has to say to a gradient, null if it has to take it. */
    Rejection judge(GradientBlock gradient) {
        int worker = gradient.header().sender();
        long age = version - gradient.header().round();
        if (worker < 0 || worker >= training.plan().participants(training)) {
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
        if (!cohort.contains(worker)) {
            return Rejection.NOT_ASKED;
        }
        if (rows.containsKey(worker) || refused.contains(worker)) {
            return Rejection.DUPLICATE;
        }
        Rejection proof = prove(gradient);
        if (proof == null) {
            rows.put(worker, gradient.values());
        } else {
            refused.add(worker);
        }
        return proof;
    }

    private Rejection prove(GradientBlock gradient) {
        if (!gradient.shard().equals(id) || gradient.values().length != length) {
            return Rejection.WRONG_SIZE;
        }
        if (training.admission().nonFinite() == Admission.NonFinite.REJECT) {
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
     * @param next settings of the next round
     */
    float[][] close(int[] workers, Settings next) {
        float[][] taken = new float[workers.length][];
        Arrays.setAll(taken, i -> rows.get(workers[i]));
        version++;
        lastRows = workers;
        open(next);
        return taken;
    }
}
