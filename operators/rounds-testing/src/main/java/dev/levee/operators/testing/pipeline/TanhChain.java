package dev.levee.operators.testing.pipeline;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Draws;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Segment;
import dev.levee.learners.layers.LayeredModel;
import dev.levee.learners.layers.StagePasses;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A small network in plain Java, which can be trained in stages without a native library. Each
 * layer is dense, followed by tanh and dropout of a tenth, and has a buffer with the mean of its
 * inputs. The loss is half the squared distance of the outputs from the label.
 *
 * @param widths widths of the layers; the first is the size of a sample
 */
public record TanhChain(List<Integer> widths) implements LayeredModel {
    private static final double KEEP = 0.9;

    public TanhChain {
        widths = List.copyOf(widths);
    }

    @Override
    public String name() {
        return "tanh-chain";
    }

    @Override
    public int layers() {
        return widths.size() - 1;
    }

    @Override
    public Layout layout() {
        return layout(0, layers() - 1);
    }

    private Layout layout(int first, int last) {
        List<Segment> segments = new ArrayList<>();
        int offset = 0;
        for (int layer = first; layer <= last; layer++) {
            long[] shape = {widths.get(layer + 1), widths.get(layer)};
            Segment weights = new Segment(layer + ".weight", shape, offset, true);
            segments.add(weights);
            offset += weights.length();
        }
        for (int layer = first; layer <= last; layer++) {
            segments.add(new Segment(layer + ".mean", new long[] {1}, offset++, false));
        }
        return new Layout(segments);
    }

    @Override
    public float[] initialParameters(long seed) {
        float[] values = new float[layout().size()];
        for (int i = 0; i < layout().trainable(); i++) {
            values[i] = Draws.uniformFloat(seed, i) - 0.5f;
        }
        return values;
    }

    @Override
    public Learner newLearner() {
        StagePasses all = stage(0, layers() - 1).newPasses(false);
        return new Learner() {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                all.begin(parameters);
                float[] outputs = all.forward(0, batch.features(), batch.size(), seed);
                float[] slope = new float[outputs.length];
                double loss = all.loss(outputs, batch, slope);
                return new Gradient(all.backward(0, slope, null).values(), loss);
            }

            @Override
            public Evaluation evaluate(float[] parameters, Dataset data) {
                return new Evaluation(data.size(), 0, 0);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Evaluation evaluate(List<Integer> lastLayers, FlatVector parameters, Dataset data) {
        return new Evaluation(data.size(), 0, 0);
    }

    @Override
    public Stage stage(int first, int last) {
        return new Part(this, first, last);
    }

    private record Part(TanhChain chain, int first, int last) implements Stage {
        @Override
        public Layout layout() {
            return chain.layout(first, last);
        }

        @Override
        public float[] parameters(float[] parameters) {
            float[] own = new float[layout().size()];
            copy(parameters, own, true);
            return own;
        }

        @Override
        public void insert(float[] own, float[] vector) {
            copy(vector, own, false);
        }

        private void copy(float[] whole, float[] own, boolean out) {
            Map<String, Segment> all = new HashMap<>();
            chain.layout().segments().forEach(each -> all.put(each.name(), each));
            for (Segment each : layout().segments()) {
                int at = all.get(each.name()).offset();
                if (out) {
                    System.arraycopy(whole, at, own, each.offset(), each.length());
                } else {
                    System.arraycopy(own, each.offset(), whole, at, each.length());
                }
            }
        }

        @Override
        public StagePasses newPasses(boolean recompute) {
            return new Passes(chain, first, last, recompute);
        }
    }

    /** Computes passes in single precision, with sums in the order of indices. */
    private static final class Passes implements StagePasses {
        private record Kept(List<float[]> values, int count, long seed) {}

        private final TanhChain chain;
        private final int first;
        private final int last;
        private final boolean recompute;
        private final Map<Integer, Kept> kept = new HashMap<>();
        private float[] parameters;
        private long held;
        private long peak;

        Passes(TanhChain chain, int first, int last, boolean recompute) {
            this.chain = chain;
            this.first = first;
            this.last = last;
            this.recompute = recompute;
        }

        @Override
        public void begin(float[] values) {
            kept.clear();
            held = 0;
            parameters = values;
        }

        @Override
        public float[] forward(int microBatch, float[] inputs, int count, long seed) {
            List<float[]> all = run(inputs, count, seed);
            keep(microBatch, new Kept(recompute ? List.of(inputs) : all, count, seed));
            return all.get(all.size() - 1).clone();
        }

        private void keep(int microBatch, Kept one) {
            kept.put(microBatch, one);
            held += bytes(one);
            peak = Math.max(peak, held);
        }

        private static long bytes(Kept one) {
            return one.values().stream().mapToLong(each -> 4L * each.length).sum();
        }

        private List<float[]> run(float[] inputs, int count, long seed) {
            List<float[]> all = new ArrayList<>(List.of(inputs));
            int at = 0;
            for (int layer = first; layer <= last; layer++) {
                int in = chain.widths.get(layer);
                int out = chain.widths.get(layer + 1);
                float[] from = all.get(all.size() - 1);
                float[] to = new float[count * out];
                for (int i = 0; i < to.length; i++) {
                    float sum = 0;
                    for (int j = 0; j < in; j++) {
                        sum += parameters[at + i % out * in + j] * from[i / out * in + j];
                    }
                    to[i] = (float) Math.tanh(sum) * mask(layer, i, seed);
                }
                all.add(to);
                at += in * out;
            }
            return all;
        }

        private static float mask(int layer, int i, long seed) {
            return Draws.uniform(seed + layer, i) < KEEP ? (float) (1 / KEEP) : 0;
        }

        @Override
        public double loss(float[] outputs, Batch answers, float[] slope) {
            int width = outputs.length / answers.size();
            double loss = 0;
            for (int i = 0; i < outputs.length; i++) {
                float off = outputs[i] - answers.labels()[i / width];
                slope[i] = off / answers.size();
                loss += 0.5 * off * off;
            }
            return loss / answers.size();
        }

        @Override
        public Backward backward(int microBatch, float[] slope, float[] into) {
            Kept one = kept.remove(microBatch);
            held -= bytes(one);
            List<float[]> all =
                    recompute ? run(one.values().get(0), one.count(), one.seed()) : one.values();
            Layout layout = chain.layout(first, last);
            float[] values = into == null ? new float[layout.size()] : into;
            Arrays.fill(values, 0);
            float[] after = slope;
            int at = layout.trainable();
            for (int layer = last; layer >= first; layer--) {
                int in = chain.widths.get(layer);
                int out = chain.widths.get(layer + 1);
                at -= in * out;
                float[] from = all.get(layer - first);
                float[] to = all.get(layer - first + 1);
                float[] before = new float[from.length];
                for (int i = 0; i < to.length; i++) {
                    float mask = mask(layer, i, one.seed());
                    float tanh = mask == 0 ? 0 : to[i] / mask;
                    float d = after[i] * mask * (1 - tanh * tanh);
                    for (int j = 0; j < in; j++) {
                        int weight = at + i % out * in + j;
                        values[weight] += d * from[i / out * in + j];
                        before[i / out * in + j] += d * parameters[weight];
                    }
                }
                float sum = 0;
                for (float each : from) {
                    sum += each;
                }
                values[layout.trainable() + layer - first] = sum / from.length;
                after = before;
            }
            return new Backward(first == 0 ? null : after, values);
        }

        /** The peak memory of the activations alone. */
        @Override
        public long peakBytes() {
            return peak;
        }

        @Override
        public void close() {
            kept.clear();
        }
    }
}
