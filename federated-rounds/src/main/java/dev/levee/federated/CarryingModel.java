package dev.levee.federated;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A model whose vector has additional vectors after the parameters and buffers, for the devices'
 * optimizer or correction. Each is as long as the trained part, and zero at first. Blocks, rules
 * and checkpoints treat them as buffers; the model itself does not see them.
 *
 * @param model the model itself
 * @param vectors number of additional vectors
 */
public record CarryingModel(Model model, int vectors) implements WrappedModel {
    @Override
    public Layout layout() {
        Layout own = model.layout();
        List<Segment> segments = new ArrayList<>(own.segments());
        int length = own.trainable();
        for (int i = 0; i < vectors; i++) {
            segments.add(
                    new Segment(
                            "optimizer" + i,
                            new long[] {length},
                            Math.addExact(own.size(), Math.multiplyExact(i, length)),
                            false));
        }
        return new Layout(segments);
    }

    @Override
    public float[] initialParameters(long seed) {
        return Arrays.copyOf(model.initialParameters(seed), layout().size());
    }

    @Override
    public FlatVector initial(long seed) {
        return FlatVector.of(initialParameters(seed));
    }

    @Override
    public Learner newLearner() {
        return new Within(model.newLearner(), model.layout().size(), layout().size());
    }

    /** A learner that computes on the model's own part of each vector. */
    private static final class Within extends WrappedLearner {
        private final int own;
        private final int all;

        Within(Learner learner, int own, int all) {
            super(learner);
            this.own = own;
            this.all = all;
        }

        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            Gradient gradient = super.gradient(Arrays.copyOf(parameters, own), batch, seed);
            return new Gradient(Arrays.copyOf(gradient.values(), all), gradient.loss());
        }

        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            return super.evaluate(Arrays.copyOf(parameters, own), data);
        }

        @Override
        public Evaluation evaluate(FlatVector parameters, Dataset data) {
            return super.evaluate(parameters.first(own), data);
        }
    }
}
