package dev.levee.learners.internal.djl;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.learners.internal.djl.natives.Scratch;
import dev.levee.learners.internal.network.Normalisation;

import java.util.HashMap;
import java.util.Map;

/**
 * Sums values over neighboring channels. The engine has no operation for this, so it is a
 * convolution with 1×1 kernels whose matrix has alpha on a band around the diagonal.
 */
final class ChannelWindows {
    private record Band(PtNDArray weight, PtNDArray bias) {}

    private final PtNDManager manager;
    private final Map<String, Band> bands = new HashMap<>();

    ChannelWindows(PtNDManager manager) {
        this.manager = manager;
    }

    /** bias + alpha · (sum of {@code values} over the channels of each window). */
    PtNDArray sums(Normalisation.LocalResponse layer, PtNDArray values) {
        Band band = bands.computeIfAbsent(layer.name(), name -> band(layer));
        Shape one = new Shape(1, 1);
        return JniUtils.convolution(
                values, band.weight(), band.bias(), one, new Shape(0, 0), one, 1);
    }

    private Band band(Normalisation.LocalResponse layer) {
        int channels = layer.channels();
        float[] weight = new float[channels * channels];
        float[] bias = new float[channels];
        for (int to = 0; to < channels; to++) {
            bias[to] = (float) layer.bias();
            for (int from = 0; from < channels; from++) {
                if (Math.abs(from - to) <= layer.radius()) {
                    weight[to * channels + from] = (float) layer.alpha();
                }
            }
        }
        return new Band(
                new Scratch(manager).tensor(manager, weight, new Shape(channels, channels, 1, 1)),
                new Scratch(manager).tensor(manager, bias, new Shape(channels)));
    }
}
