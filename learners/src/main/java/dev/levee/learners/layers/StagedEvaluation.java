package dev.levee.learners.layers;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.FlatVector;
import dev.levee.learners.internal.Criterion;
import dev.levee.learners.internal.Evaluations;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.internal.djl.PyTorch;

import java.util.ArrayList;
import java.util.List;

/**
 * Evaluates a network section by section: each batch goes through one, whose parameters are read
 * for it, and then through the next. Samples go through layers in the same company as in the whole
 * network, for PyTorch chooses kernels by the shape of a batch.
 *
 * @param sections that are the network, in order
 * @param parameters the parameters of the whole network
 */
record StagedEvaluation(NetworkModel model, List<Section> sections, FlatVector parameters) {
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
        int most = PyTorch.evaluatedAtOnce(model.network());
        int size = batch.size();
        int width = batch.features().length / size;
        List<float[]> parts = new ArrayList<>();
        for (int from = 0; from < size; from += most) {
            int to = Math.min(size, from + most);
            float[] part = new float[(to - from) * width];
            System.arraycopy(batch.features(), from * width, part, 0, part.length);
            parts.add(part);
        }
        for (Section section : sections) {
            float[] own = section.parameters(parameters);
            for (int i = 0; i < parts.size(); i++) {
                int count = Math.min(size, (i + 1) * most) - i * most;
                try (Forward forward = section.newForward(own, count)) {
                    parts.set(i, forward.outputs(parts.get(i), count));
                }
            }
        }
        float[] made = new float[size * model.task().outputs()];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, made, at, part.length);
            at += part.length;
        }
        return made;
    }
}
