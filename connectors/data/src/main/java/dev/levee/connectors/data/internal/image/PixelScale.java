package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;

import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Maps a pixel's byte to its value: byte / 255, or that value standardized by channel. */
final class PixelScale {
    private static final int VALUES = 256;
    private static final String BYTE = "byte";
    private static final String STANDARD = "standard";

    static final DatasetOption OPTION =
            new DatasetOption(
                    "scale",
                    BYTE + " or " + STANDARD,
                    BYTE,
                    "byte divides by 255; standard also subtracts the mean of a channel's training"
                            + " pixels and divides by their standard deviation");

    /** The scale byte / 255 for every channel. */
    static final PixelScale BYTES = new PixelScale(new float[][] {divided()});

    /** Values by channel, then by byte. */
    private final float[][] values;

    private PixelScale(float[][] values) {
        this.values = values;
    }

    private static float[] divided() {
        float[] values = new float[VALUES];
        for (int i = 0; i < VALUES; i++) {
            values[i] = i / 255f;
        }
        return values;
    }

    /** True if an address asks for standardized pixels. */
    static boolean standard(DatasetUri uri) {
        return uri.word("scale", BYTE, BYTE, STANDARD).equals(STANDARD);
    }

    /**
     * Counts how often each byte occurs in each channel of the training pictures, which are stored
     * channel by channel.
     */
    static final class Training implements Consumer<byte[]> {
        private final long[][] counts;

        Training(int channels) {
            counts = new long[channels][VALUES];
        }

        @Override
        public void accept(byte[] picture) {
            int pixels = picture.length / counts.length;
            for (int i = 0; i < picture.length; i++) {
                counts[i / pixels][picture[i] & 0xFF]++;
            }
        }

        /**
         * A scale that subtracts each channel's mean and divides by its standard deviation; if all
         * pixels of a channel are equal, it divides by 1.
         */
        PixelScale standard() {
            float[][] values = new float[counts.length][VALUES];
            for (int channel = 0; channel < counts.length; channel++) {
                double mean = moment(counts[channel], 0, 1);
                boolean differ = LongStream.of(counts[channel]).filter(n -> n > 0).count() > 1;
                double deviation = differ ? Math.sqrt(moment(counts[channel], mean, 2)) : 1;
                for (int i = 0; i < VALUES; i++) {
                    values[channel][i] = (float) ((i / 255.0 - mean) / deviation);
                }
            }
            return new PixelScale(values);
        }

        private static double moment(long[] counts, double center, int power) {
            double sum = 0;
            long all = 0;
            for (int i = 0; i < VALUES; i++) {
                sum += counts[i] * Math.pow(i / 255.0 - center, power);
                all += counts[i];
            }
            return sum / all;
        }
    }

    /** Writes a picture's bytes as floats. */
    void apply(byte[] from, float[] out, int offset) {
        int pixels = from.length / values.length;
        for (int channel = 0; channel < values.length; channel++) {
            float[] table = values[channel];
            int end = (channel + 1) * pixels;
            for (int i = channel * pixels; i < end; i++) {
                out[offset + i] = table[from[i] & 0xFF];
            }
        }
    }
}
