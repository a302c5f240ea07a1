package dev.levee.operators.rounds.participant;

import dev.levee.gar.Draws;

import java.util.SplittableRandom;

/**
 * Chooses the samples that a worker draws: its share of the data, reshuffled in each epoch. A pure
 * function of (seed, worker, samples consumed), so it resumes anywhere. Safe for concurrent use: a
 * batch read ahead may be drawn while the same worker's next one is.
 */
public final class Sampler {
    private static final long EPOCH_STREAM = 0x9E6C63D0876A9A99L;

    private final int[] share;
    private final long seed;
    private final int worker;

    /**
     * The newest epoch's order. Two threads may replace it in turns, so each reads it into a local
     * variable.
     */
    private volatile Epoch latest = new Epoch(-1, new int[0]);

    private record Epoch(long number, int[] order) {}

    /**
     * A sampler over the indexes of one worker's samples.
     *
     * @param share must not change; workers with the same samples may share it
     */
    public Sampler(int[] share, long seed, int worker) {
        this.share = share;
        this.seed = seed;
        this.worker = worker;
    }

    /** The next {@code size} sample indexes after {@code consumed} ones. */
    public int[] next(long consumed, int size) {
        int[] batch = new int[size];
        Epoch epoch = latest;
        for (int i = 0; i < size; i++) {
            long position = consumed + i;
            if (epoch.number() != position / share.length) {
                epoch = new Epoch(position / share.length, shuffled(position / share.length));
            }
            batch[i] = epoch.order()[(int) (position % share.length)];
        }
        latest = epoch;
        return batch;
    }

    private int[] shuffled(long epoch) {
        return shuffled(share, new SplittableRandom(Draws.key(seed, worker, epoch, EPOCH_STREAM)));
    }

    /** A copy in random order. */
    public static int[] shuffled(int[] samples, SplittableRandom random) {
        int[] shuffled = samples.clone();
        for (int i = shuffled.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = swapped;
        }
        return shuffled;
    }
}
