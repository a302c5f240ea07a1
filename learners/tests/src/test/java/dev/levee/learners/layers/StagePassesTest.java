package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.AccumulatingLearner;
import dev.levee.learners.FlatFile;
import dev.levee.learners.Gradient;
import dev.levee.learners.GradientMean;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Samples;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Stages of a network give the gradient of the whole one, bit for bit. */
class StagePassesTest {
    private static final int PASSES = 3;
    private static final long SEED = 5;

    /** All forward passes before all backward passes, so that several are kept at a time. */
    private static Gradient staged(
            LayeredModel model, float[] parameters, Batch batch, boolean recompute, int... ends) {
        List<LayeredModel.Stage> stages = new ArrayList<>();
        List<StagePasses> passes = new ArrayList<>();
        int first = 0;
        for (int last : ends) {
            LayeredModel.Stage stage = model.stage(first, last);
            stages.add(stage);
            passes.add(stage.newPasses(recompute));
            passes.get(passes.size() - 1).begin(stage.parameters(parameters));
            first = last + 1;
        }
        int[] to = GradientMean.ends(batch.size(), PASSES);
        float[][] slopes = new float[PASSES][];
        double[] losses = new double[PASSES];
        for (int pass = 0; pass < PASSES; pass++) {
            Batch part = batch.part(pass == 0 ? 0 : to[pass - 1], to[pass]);
            float[] values = part.features();
            for (StagePasses each : passes) {
                values = each.forward(pass, values, part.size(), GradientMean.seed(SEED, pass));
            }
            slopes[pass] = new float[values.length];
            losses[pass] = passes.get(passes.size() - 1).loss(values, part, slopes[pass]);
        }
        float[] whole = new float[model.layout().size()];
        double loss = 0;
        for (int stage = passes.size() - 1; stage >= 0; stage--) {
            GradientMean mean = new GradientMean(to);
            float[] spare = null;
            for (int pass = 0; pass < PASSES; pass++) {
                StagePasses.Backward made = passes.get(stage).backward(pass, slopes[pass], spare);
                slopes[pass] = made.slope();
                spare = mean.add(made.values(), losses[pass]);
            }
            stages.get(stage).insert(mean.mean().values(), whole);
            loss = mean.mean().loss();
        }
        for (float[] each : slopes) {
            assertThat(each).isNull();
        }
        passes.forEach(each -> assertThat(each.peakBytes()).isPositive());
        passes.forEach(StagePasses::close);
        return new Gradient(whole, loss);
    }

    private static void agrees(String name, int[] shape, int samples, int... ends) {
        agrees(name, Samples.of(shape, 10, samples, 1), ends);
    }

    private static void agrees(String name, Samples all, int... ends) {
        LayeredModel model = NetworkStages.of(Models.open(name, all.shape(), 10));
        float[] parameters = model.initialParameters(3);
        Gradient whole;
        try (Learner learner = new AccumulatingLearner(model.newLearner(), size -> PASSES)) {
            whole = learner.gradient(parameters, all.all(), SEED);
        }
        for (boolean recompute : new boolean[] {false, true}) {
            Gradient staged = staged(model, parameters, all.all(), recompute, ends);
            String what = name + " in stages that end with " + Arrays.toString(ends);
            assertThat(staged.values()).as(what).isEqualTo(whole.values());
            assertThat(Double.compare(staged.loss(), whole.loss())).as(what).isZero();
        }
    }

    /** A whole network pools in Java, a stage with PyTorch; here most windows have equal values. */
    @Test
    @Tag("native")
    void poolingHasTheBitsOfTheEngine() {
        Samples samples = Samples.of(new int[] {1, 15, 15}, 10, 12, 1);
        float[] features = samples.features();
        for (int i = 0; i < features.length; i++) {
            features[i] = features[i] > 0.8 ? 1 : 0;
        }
        String layers = "layers:conv(4,3);relu;maxpool(2);relu;maxpool(2);flatten;dense";
        agrees(layers, samples, 6);
        features[20] = Float.NaN;
        agrees(layers, samples, 2, 6);
    }

    /** Nothing is learned before the second layer, so that only its own gradient is needed. */
    @Test
    @Tag("native")
    void aTimerMeasuresEachStepInBothDirections() {
        LayeredNetwork network =
                LayeredNetwork.open(
                        "layers:tanh;conv(4,3);batchnorm;relu;flatten;dropout(0.5);dense",
                        new int[] {3, 16, 16},
                        10);
        Section all = network.section(network.start(), network.end());
        try (TrainingTimer timer = all.newTimer(16)) {
            for (int pass = 0; pass < 3; pass++) {
                TrainingTimer.Seconds seconds = timer.pass();
                assertThat(seconds.forward()).hasSize(7).doesNotContain(0);
                assertThat(seconds.backward()).hasSize(7);
                assertThat(Arrays.copyOfRange(seconds.backward(), 1, 7)).doesNotContain(0);
            }
        }
    }

    /** Batches of 250 samples and the rest, with parameters that lie in a file. */
    private static void evaluatesAlike(
            String name, int[] shape, int samples, Path folder, Integer... ends) {
        Samples data = Samples.of(shape, 10, samples, 1);
        LayeredModel model = NetworkStages.of(Models.open(name, shape, 10));
        float[] parameters = model.initialParameters(3);
        try (Learner learner = model.newLearner();
                FlatFile file = new FlatFile(folder, parameters.length)) {
            file.put(0, parameters);
            assertThat(model.evaluate(List.of(ends), file, data))
                    .as(name)
                    .isEqualTo(learner.evaluate(parameters, data));
        }
    }

    @Test
    @Tag("native")
    void anEvaluationStageByStageHasTheBitsOfTheWholeNetwork(@TempDir Path folder) {
        evaluatesAlike("mnist-cnn", new int[] {1, 28, 28}, 513, folder, 0, 3);
        evaluatesAlike("cifarnet", new int[] {3, 32, 32}, 263, folder, 4, 11, 14);
        evaluatesAlike("resnet18", new int[] {3, 32, 32}, 63, folder, 5, 9, 13);
    }

    @Test
    @Tag("native")
    void aNetworkOfDenseLayersCutAnywhere() {
        int[] shape = {1, 28, 28};
        agrees("mnist-cnn", shape, 7, 0, 1, 2, 3);
        agrees("mnist-cnn", shape, 7, 1, 3);
        agrees(
                "lenet",
                shape,
                7,
                2,
                5,
                NetworkStages.of(Models.open("lenet", shape, 10)).layers() - 1);
    }

    /** Dropout, normalization of channels, pooling. */
    @Test
    @Tag("native")
    void cifarNetWithALayerInEachStage() {
        int[] each = new int[15];
        Arrays.setAll(each, i -> i);
        agrees("cifarnet", new int[] {3, 32, 32}, 5, each);
        agrees("cifarnet", new int[] {3, 32, 32}, 5, 4, 11, 14);
    }

    /** Residual layers and normalization by batch, with its buffers. */
    @Test
    @Tag("native")
    void resNetInThreeStages() {
        agrees("resnet18", new int[] {3, 32, 32}, 6, 5, 9, 13);
    }

    @Test
    void aModelWithoutLayersIsRefused() {
        Model model = Models.open("logistic", new int[] {4}, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NetworkStages.of(model))
                .withMessage(
                        "logistic has no layers between which it could be cut; the networks"
                                + " mnist-cnn, lenet, alexnet, resnet18, resnet50, vgg11, vgg19,"
                                + " densenet121, cifarnet have");
    }
}
