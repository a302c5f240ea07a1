package dev.levee.featureextraction.extract;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The scaling of a pixel's byte to the network's input: (byte / 255 − mean) / deviation, per
 * channel.
 *
 * @param mean the means of red, green and blue
 * @param deviation the standard deviations of red, green and blue
 */
public record Scaling(float[] mean, float[] deviation) implements Serializable {
    /** The scaling with which torchvision's and timm's weights were trained. */
    public static final Scaling IMAGENET =
            new Scaling(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});

    /** Bytes divided by 255, as in the data sets of images. */
    public static final Scaling UNIT = new Scaling(new float[] {0, 0, 0}, new float[] {1, 1, 1});

    /** Writes an image as the network's input, channel by channel. */
    public void scale(byte[] pixels, float[] out, int offset) {
        int plane = pixels.length / mean.length;
        for (int channel = 0; channel < mean.length; channel++) {
            for (int i = channel * plane; i < (channel + 1) * plane; i++) {
                out[offset + i] = ((pixels[i] & 0xFF) / 255f - mean[channel]) / deviation[channel];
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Scaling scaling
                && Arrays.equals(mean, scaling.mean)
                && Arrays.equals(deviation, scaling.deviation);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(mean) + Arrays.hashCode(deviation);
    }
}
