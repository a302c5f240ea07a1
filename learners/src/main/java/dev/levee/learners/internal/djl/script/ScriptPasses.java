package dev.levee.learners.internal.djl.script;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;

import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Layout;
import dev.levee.learners.NetworkRange;
import dev.levee.learners.Segment;
import dev.levee.learners.internal.Noise;
import dev.levee.learners.internal.djl.AdversarialLearner;
import dev.levee.learners.internal.djl.PairPasses;
import dev.levee.learners.internal.djl.Pass;
import dev.levee.learners.internal.djl.natives.Autograd;
import dev.levee.learners.internal.djl.natives.Natives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a generator and a discriminator that are the user's modules, one file each. */
final class ScriptPasses implements PairPasses {
    /**
     * Number of images that are generated together. It is fixed, so that an image does not depend
     * on how many are requested.
     */
    private static final int MADE = 64;

    private final NetworkRange generatorRange;
    private final NetworkRange discriminatorRange;
    private final int size;
    private final ScriptModule generator;
    private final ScriptModule discriminator;
    private boolean unlearned;

    ScriptPasses(PtNDManager manager, ScriptedPair pair) {
        generatorRange = pair.generator();
        discriminatorRange = pair.discriminator();
        size = pair.layout().size();
        generator = ScriptModule.read(manager, pair.generatorPath());
        discriminator = ScriptModule.read(manager, pair.discriminatorPath());
    }

    /** Creates a learner of two files. */
    static AdversarialLearner learner(ScriptedPair pair) {
        PtNDManager manager = Natives.newManager();
        try {
            return new AdversarialLearner(
                    manager, new ScriptPasses(manager, pair), pair, pair.loss());
        } catch (RuntimeException | Error e) {
            manager.close();
            throw e;
        }
    }

    /**
     * Tries each file on one sample and returns the layout of both files' tensors.
     *
     * @throws IllegalArgumentException if a module does not have the required inputs and outputs;
     *     one sentence
     */
    static Layout check(ScriptedPair pair) {
        try (PtNDManager manager = Natives.newManager();
                Autograd off = Autograd.off()) {
            Natives.oneThread();
            ScriptModule generator = ScriptModule.read(manager, pair.generatorPath());
            ScriptModule discriminator = ScriptModule.read(manager, pair.discriminatorPath());
            Shape noise = new Shape(1, pair.latent());
            Shape image = images(pair, 1);
            Shape made = tried(manager, generator, noise, "generator", pair.generatorPath());
            if (!made.equals(image)) {
                throw new IllegalArgumentException(
                        ("the generator file:%s makes values of shape %s from noise of shape "
                                        + "%s, but the data's images are %s")
                                .formatted(pair.generatorPath(), made, noise, image));
            }
            Shape judged =
                    tried(manager, discriminator, image, "discriminator", pair.discriminatorPath());
            if (!judged.equals(new Shape(1, 1)) && !judged.equals(new Shape(1))) {
                throw new IllegalArgumentException(
                        ("the discriminator file:%s maps one image to values of shape %s "
                                        + "instead of one number")
                                .formatted(pair.discriminatorPath(), judged));
            }
            return joined(generator.layout(), discriminator.layout());
        }
    }

    private static Shape tried(
            PtNDManager manager, ScriptModule module, Shape input, String what, String path) {
        PtNDArray zeros =
                (PtNDArray) manager.create(new float[Math.toIntExact(input.size())], input);
        try {
            return module.forward(zeros, Pass.EVALUATION).getShape();
        } catch (EngineException e) {
            throw new IllegalArgumentException(
                    "the %s file:%s does not take values of shape %s: %s"
                            .formatted(what, path, input, ScriptModule.firstLine(e)),
                    e);
        }
    }

    private static Shape images(GenerativeModel model, int count) {
        int[] image = model.image();
        long[] shape =
                IntStream.concat(IntStream.of(count), IntStream.of(image)).asLongStream().toArray();
        return new Shape(shape);
    }

    /** The trainable tensors of both networks, then the buffers of both. */
    private static Layout joined(Layout generator, Layout discriminator) {
        List<Segment> segments = new ArrayList<>();
        for (boolean trainable : new boolean[] {true, false}) {
            append(segments, GenerativeModel.GENERATOR, generator, trainable);
            append(segments, GenerativeModel.DISCRIMINATOR, discriminator, trainable);
        }
        return new Layout(segments);
    }

    private static void append(
            List<Segment> segments, String half, Layout layout, boolean trainable) {
        int offset = segments.stream().mapToInt(Segment::length).reduce(0, Math::addExact);
        for (Segment each : layout.segments()) {
            if (each.trainable() == trainable) {
                String name = half + "." + each.name();
                segments.add(new Segment(name, each.shape(), offset, trainable));
                offset = Math.addExact(offset, each.length());
            }
        }
    }

    /** The values in the files. */
    static float[] initialParameters(ScriptedPair pair) {
        try (PtNDManager manager = Natives.newManager()) {
            float[] both = new float[pair.layout().size()];
            pair.generator().put(ScriptModule.read(manager, pair.generatorPath()).values(), both);
            pair.discriminator()
                    .put(ScriptModule.read(manager, pair.discriminatorPath()).values(), both);
            return both;
        }
    }

    /**
     * Returns images of the generator in evaluation mode, with pixels from 0 to 1.
     *
     * @param own values of the generator
     */
    static float[] generate(ScriptedPair pair, float[] own, int count, long seed) {
        try (PtNDManager manager = Natives.newManager();
                Autograd off = Autograd.off()) {
            Natives.oneThread();
            ScriptModule generator = ScriptModule.read(manager, pair.generatorPath());
            generator.load(own);
            int batches = (count + MADE - 1) / MADE;
            float[] noise = Noise.normal(seed, batches * MADE * pair.latent());
            int values = MADE * pair.latent();
            float[] pixels = new float[0];
            for (int batch = 0; batch < batches; batch++) {
                try (PtNDManager step = manager.newSubManager(manager.getDevice())) {
                    float[] part = Arrays.copyOfRange(noise, batch * values, (batch + 1) * values);
                    PtNDArray input = (PtNDArray) step.create(part, new Shape(MADE, pair.latent()));
                    PtNDArray made = generator.forward(input, Pass.EVALUATION);
                    int size = Math.toIntExact(made.size());
                    if (batch == 0) {
                        pixels = new float[Math.multiplyExact(batches, size)];
                    }
                    made.toByteBuffer(true).asFloatBuffer().get(pixels, batch * size, size);
                    made.close();
                }
            }
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = (pixels[i] + 1) / 2;
            }
            return Arrays.copyOf(pixels, count * (pixels.length / (batches * MADE)));
        }
    }

    @Override
    public void begin(PtNDManager step, float[] flat, boolean training) {
        unlearned = false;
        generator.load(generatorRange.of(flat));
        discriminator.load(discriminatorRange.of(flat));
    }

    @Override
    public PtNDArray make(PtNDArray noise, Pass pass) {
        return generator.forward(noise, pass);
    }

    @Override
    public PtNDArray judge(PtNDArray images, boolean learns, Pass pass) {
        if (unlearned) {
            discriminator.forgetGradients();
        }
        unlearned = !learns;
        return discriminator.forward(images, pass);
    }

    @Override
    public float[] collect() {
        float[] both = new float[size];
        generatorRange.put(generator.collect(), both);
        discriminatorRange.put(discriminator.collect(), both);
        return both;
    }
}
