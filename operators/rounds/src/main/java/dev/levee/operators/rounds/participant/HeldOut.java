package dev.levee.operators.rounds.participant;

import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Draws;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.Training;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Divides a training set between the workers and the server, by the run's seed. */
public final class HeldOut {
    private static final long STREAM = 0x4F7A3C15D2B96E81L;

    private HeldOut() {}

    /** The samples that workers compute on, ascending: all, unless the server holds some out. */
    public static int[] workers(Training training, Dataset data) {
        BitSet server = divides(training) ? drawn(training.seed(), data.size()) : new BitSet();
        return IntStream.range(0, data.size()).filter(sample -> !server.get(sample)).toArray();
    }

    /**
     * The samples that the server holds out, ascending; all samples if it has a data set of its
     * own.
     */
    public static int[] server(Training training, Dataset data) {
        return divides(training)
                ? drawn(training.seed(), data.size()).stream().toArray()
                : IntStream.range(0, data.size()).toArray();
    }

    private static boolean divides(Training training) {
        return training.oracle() != null && training.oracle().uri() == null;
    }

    /**
     * Samples without replacement by Floyd's algorithm, whose cost is proportional to the sample
     * size.
     */
    private static BitSet drawn(long seed, int size) {
        int count = Math.max(1, size / Oracle.HELD_OUT);
        if (count >= size) {
            throw new IllegalArgumentException(
                    "a data set of %d samples is too small for workers and an oracle"
                            .formatted(size));
        }
        SplittableRandom random = new SplittableRandom(Draws.key(seed, STREAM));
        BitSet drawn = new BitSet(size);
        for (int last = size - count; last < size; last++) {
            int sample = random.nextInt(last + 1);
            drawn.set(drawn.get(sample) ? last : sample);
        }
        return drawn;
    }
}
