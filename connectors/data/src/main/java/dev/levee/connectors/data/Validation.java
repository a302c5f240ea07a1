package dev.levee.connectors.data;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Holds out validation samples from the training split of any data set. The samples are shuffled in
 * an order that depends only on their number; the first {@code ?validation=SHARE} of them (rounded,
 * at least one and not all) are for validation, the others for training. Both keep their original
 * order.
 */
final class Validation {
    /** The name of the option. */
    static final String OPTION = "validation";

    private static final long STREAM = 0x56A1D8B20C4F937EL;

    private Validation() {}

    /** The samples that remain for training. */
    static Dataset rest(DatasetUri uri, Dataset all) {
        int[] order = order(uri, all);
        return part(all, Arrays.copyOfRange(order, count(uri, all), order.length));
    }

    /** The samples that are held out for validation. */
    static Dataset heldOut(DatasetUri uri, Dataset all) {
        return part(all, Arrays.copyOf(order(uri, all), count(uri, all)));
    }

    private static int[] order(DatasetUri uri, Dataset all) {
        if (all.size() < 2) {
            throw new IllegalArgumentException(
                    "%s has %d training samples, too few to hold out any for validation"
                            .formatted(uri.text(), all.size()));
        }
        int[] order = IntStream.range(0, all.size()).toArray();
        SplittableRandom random = new SplittableRandom(STREAM);
        for (int last = order.length - 1; last > 0; last--) {
            int other = random.nextInt(last + 1);
            int swapped = order[last];
            order[last] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    private static int count(DatasetUri uri, Dataset all) {
        long share = Math.round(uri.fraction(OPTION, 0) * all.size());
        return (int) Math.max(1, Math.min(all.size() - 1L, share));
    }

    private static Dataset part(Dataset all, int[] samples) {
        Arrays.sort(samples);
        return new WrappedDataset.Part(all, samples);
    }
}
