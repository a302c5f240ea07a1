package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.DatasetUri;

/**
 * Maps a sample's layout in the array to the layout that learners expect: channels, height, width.
 *
 * @param shape the shape of a sample for learners
 * @param length values per sample
 * @param channelsLast true if the array has channels after height and width
 */
public record Pictures(int[] shape, int length, boolean channelsLast) {
    private static final int OF_PICTURES = 3;

    /**
     * Determines the layout of a sample.
     *
     * @param sample extents of a sample in the array
     */
    static Pictures of(DatasetUri uri, long[] sample) {
        long length = 1;
        for (long extent : sample) {
            length *= extent;
            if (length > Integer.MAX_VALUE / 8) {
                throw new IllegalArgumentException(
                        uri.text() + " has samples of too many values: " + length);
            }
        }
        int[] shape = new int[Math.max(1, sample.length)];
        shape[0] = 1;
        for (int i = 0; i < sample.length; i++) {
            shape[i] = (int) sample[i];
        }
        if (shape.length == 2) {
            return new Pictures(new int[] {1, shape[0], shape[1]}, (int) length, false);
        }
        if (shape.length != OF_PICTURES) {
            return new Pictures(shape, (int) length, false);
        }
        boolean guess = areChannels(shape[2]) && !areChannels(shape[0]);
        String said = uri.options().getOrDefault("channels", guess ? "last" : "first");
        return said.equals("last")
                ? new Pictures(new int[] {shape[2], shape[0], shape[1]}, (int) length, true)
                : new Pictures(shape, (int) length, false);
    }

    private static boolean areChannels(int extent) {
        return extent == 1 || extent == 3 || extent == 4;
    }

    /** True if samples have height and width. */
    boolean are() {
        return shape.length == OF_PICTURES;
    }

    /** Converts an index in the array to an index in the learner's layout. */
    int place(int at) {
        if (!channelsLast) {
            return at;
        }
        int channels = shape[0];
        return at % channels * (length / channels) + at / channels;
    }
}
