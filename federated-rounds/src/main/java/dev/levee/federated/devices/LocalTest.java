package dev.levee.federated.devices;

import dev.levee.connectors.data.Partition;
import dev.levee.operators.rounds.participant.Sampler;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Holds out a share of each worker's samples, drawn by seed, so that models can be scored on
 * samples of the worker's own. A worker keeps at least one sample to train on.
 *
 * @param dealt the partition of all samples
 * @param share of a worker's samples that is held out, rounded to whole samples; above 0 and below
 *     1
 */
public record LocalTest(Partition dealt, double share) implements Partition {
    private static final long STREAM = 0x6C1F4D27A85B39E3L;

    /**
     * Checks the share.
     *
     * @throws IllegalArgumentException if it is not between 0 and 1; one sentence
     */
    public LocalTest {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "a share of samples for local tests must be above 0 and below 1, got " + share);
        }
    }

    /** The name of the partition that deals all samples. */
    @Override
    public String name() {
        return dealt.name();
    }

    @Override
    public int[][] deal(int[] labels, int classes, int workers, long seed) {
        return parts(labels, classes, workers, seed, false);
    }

    @Override
    public int[][] heldOut(int[] labels, int classes, int workers, long seed) {
        return parts(labels, classes, workers, seed, true);
    }

    @Override
    public boolean byOwners() {
        return dealt.byOwners();
    }

    @Override
    public boolean byClasses() {
        return dealt.byClasses();
    }

    private int[][] parts(int[] labels, int classes, int workers, long seed, boolean out) {
        int[][] all = dealt.deal(labels, classes, workers, seed);
        int[][] parts = new int[all.length][];
        for (int worker = 0; worker < all.length; worker++) {
            int[] shuffled = shuffled(all[worker], seed, worker);
            int held = (int) Math.min(shuffled.length - 1, Math.round(share * shuffled.length));
            int[] part =
                    out
                            ? Arrays.copyOf(shuffled, held)
                            : Arrays.copyOfRange(shuffled, held, shuffled.length);
            Arrays.sort(part);
            parts[worker] = part;
        }
        return parts;
    }

    private static int[] shuffled(int[] samples, long seed, int worker) {
        SplittableRandom random =
                new SplittableRandom(seed ^ STREAM ^ worker * 0x9E3779B97F4A7C15L);
        return Sampler.shuffled(samples, random);
    }
}
