package dev.levee.learners.layers;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.internal.Criterion;
import dev.levee.learners.internal.Evaluations;
import dev.levee.learners.internal.djl.NetworkModel;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Evaluates a network section by section. Before samples go through a section, its parameters are
 * read. Samples are grouped in the same way as in an evaluation of the whole network, because
 * PyTorch chooses kernels by the shape of a batch.
 *
 * @param sections the sections of the network, in order
 * @param parameters the parameters of the whole network
 */
record StagedEvaluation(NetworkModel model, List<Section> sections, FlatVector parameters) {
    /**
     * Maximum number of bytes of a section's inputs and outputs, unless one micro-batch has more.
     */
    private static final long HEAP = 1 << 24;

    /**
     * Maximum bytes of heap that an evaluation takes: samples and the inputs and outputs of
     * sections, but not parameters.
     */
    static long heapBytes(NetworkModel model, List<Section> sections) {
        int size = Evaluations.batch(model.network().shape());
        int once = Math.min(size, Evaluations.atOnce(model.network()));
        long widest = widest(sections);
        int together = Math.min(size, together(widest, once));
        long parts = together > once ? once * widest : 0;
        return (long) size * length(model.network().shape()) * Float.BYTES
                + together * widest
                + parts;
    }

    Evaluation of(Dataset data) {
        Criterion criterion = Criterion.of(model.task());
        return Evaluations.run(
                data,
                model.task(),
                batch -> {
                    float[] made = outputs(batch);
                    return new Evaluations.Outputs(made, criterion.losses(made, batch));
                });
    }

    private float[] outputs(Batch batch) {
        int once = Evaluations.atOnce(model.network());
        int size = batch.size();
        int together = together(widest(sections), once);
        float[] made = new float[size * model.task().outputs()];
        for (int from = 0; from < size; from += together) {
            int to = Math.min(size, from + together);
            float[] part = outputs(batch.part(from, to), once);
            System.arraycopy(part, 0, made, from * model.task().outputs(), part.length);
        }
        return made;
    }

    /**
     * Outputs of samples. {@code once} is the number of samples that go through the layers at a
     * time.
     */
    private float[] outputs(Batch samples, int once) {
        float[] values = samples.features();
        for (Section section : sections) {
            float[] own = section.parameters(parameters);
            values =
                    samples.size() <= once
                            ? outputs(section, own, values, samples.size())
                            : outputs(section, own, values, samples.size(), once);
        }
        return values;
    }

    private static float[] outputs(
            Section section, float[] own, float[] values, int size, int once) {
        int in = length(section.input());
        int out = length(section.output());
        float[] made = new float[size * out];
        for (int from = 0; from < size; from += once) {
            int count = Math.min(size - from, once);
            float[] part = Arrays.copyOfRange(values, from * in, (from + count) * in);
            System.arraycopy(outputs(section, own, part, count), 0, made, from * out, count * out);
        }
        return made;
    }

    private static float[] outputs(Section section, float[] own, float[] values, int count) {
        try (Forward forward = section.newForward(own, count)) {
            return forward.outputs(values, count);
        }
    }

    /**
     * Number of samples that go through a section before the next section is read: as many as
     * {@link #HEAP} has room for, but at least as many as go through the layers at a time.
     */
    private static int together(long widest, int once) {
        return (int) Math.max(1, HEAP / (widest * once)) * once;
    }

    /** Maximum number of bytes of a section's input and output for one sample. */
    private static long widest(List<Section> sections) {
        return sections.stream()
                .mapToLong(each -> (long) length(each.input()) + length(each.output()))
                .map(values -> values * Float.BYTES)
                .max()
                .orElse(1);
    }

    private static int length(int[] shape) {
        return IntStream.of(shape).reduce(1, Math::multiplyExact);
    }
}
