package dev.levee.federated.devices;

import dev.levee.connectors.data.Dataset;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The number of samples of each class on each device, which devices report once before the first
 * round (FeGAN, section 6.2 of "System Support for Robust Distributed Learning", EPFL 2022).
 * Devices may hold the same samples: a sample counts for each device that has it. Immutable.
 */
public final class Census implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[][] counts;
    private final long[] byDevice;
    private final long[] byClass;
    private final long all;

    private Census(int[][] counts) {
        this.counts = counts;
        int classes = counts[0].length;
        byDevice = new long[counts.length];
        byClass = new long[classes];
        for (int device = 0; device < counts.length; device++) {
            for (int label = 0; label < classes; label++) {
                byDevice[device] += counts[device][label];
                byClass[label] += counts[device][label];
            }
        }
        all = Arrays.stream(byDevice).sum();
    }

    /**
     * Creates a census from counts.
     *
     * @param counts devices × classes, n_kx
     * @throws IllegalArgumentException if there is no device, rows differ in length, a count is
     *     negative, or a device has no samples; one sentence
     */
    public static Census of(int[][] counts) {
        if (counts.length == 0 || counts[0].length == 0) {
            throw new IllegalArgumentException("a census needs a device and a class");
        }
        int[][] copies = new int[counts.length][];
        for (int device = 0; device < counts.length; device++) {
            int[] row = counts[device].clone();
            if (row.length != counts[0].length) {
                throw new IllegalArgumentException(
                        "device %d counts %d classes, device 0 %d"
                                .formatted(device, row.length, counts[0].length));
            }
            if (Arrays.stream(row).anyMatch(count -> count < 0)
                    || Arrays.stream(row).allMatch(count -> count == 0)) {
                throw new IllegalArgumentException(
                        "device %d must hold at least one sample and none less than 0 times, got %s"
                                .formatted(device, Arrays.toString(row)));
            }
            copies[device] = row;
        }
        return new Census(copies);
    }

    /**
     * Counts the samples of a data set on each device.
     *
     * @param shares indexes of each device's samples
     */
    public static Census of(Dataset data, int[][] shares) {
        int[][] counts = new int[shares.length][data.classes()];
        for (int device = 0; device < shares.length; device++) {
            for (int sample : shares[device]) {
                counts[device][data.label(sample)]++;
            }
        }
        return of(counts);
    }

    /** Number of devices. */
    public int devices() {
        return counts.length;
    }

    /** Number of classes. */
    public int classes() {
        return byClass.length;
    }

    /** Samples of a class that a device holds, n_kx. */
    public int count(int device, int label) {
        return counts[device][label];
    }

    /** Samples that a device holds, n_k. */
    public long samples(int device) {
        return byDevice[device];
    }

    /** Samples that all devices hold together, n. */
    public long samples() {
        return all;
    }

    /**
     * D_KL(P_k‖Q) = Σ P_k ln(P_k/Q) in nats (equation 6.1). P_k are the shares of classes on a
     * device, and Q those on all devices together; 0·ln 0 is 0.
     */
    public double divergence(int device) {
        double divergence = 0;
        for (int label = 0; label < byClass.length; label++) {
            if (counts[device][label] > 0) {
                double own = (double) counts[device][label] / byDevice[device];
                double global = (double) byClass[label] / all;
                divergence += own * StrictMath.log(own / global);
            }
        }
        return divergence;
    }

    /** The entropy of the shares of classes on a device, in nats. */
    public double entropy(int device) {
        double entropy = 0;
        for (int count : counts[device]) {
            if (count > 0) {
                double own = (double) count / byDevice[device];
                entropy -= own * StrictMath.log(own);
            }
        }
        return entropy;
    }
}
