package dev.levee;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.Models;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * {@code paced:FILE}: logistic regression whose gradients each take at least as many milliseconds
 * as the file says at the moment, so that a run of few rounds lasts as long as a test needs. A
 * plug-in, which is sent to clusters with every job of these tests.
 */
public final class PacedModels implements ModelFactory {
    @Override
    public String name() {
        return "paced";
    }

    @Override
    public Model create(String argument, int[] shape, int classes) {
        return new Paced(argument, Models.open("logistic", shape, classes));
    }

    private record Paced(String file, Model model) implements WrappedModel {
        @Override
        public String name() {
            return "paced:" + file;
        }

        @Override
        public Learner newLearner() {
            return new PacedLearner(Path.of(file), model.newLearner());
        }
    }

    private static final class PacedLearner extends WrappedLearner {
        private static final int LOOK_AGAIN_MILLIS = 50;

        private final Path pace;

        PacedLearner(Path pace, Learner learner) {
            super(learner);
            this.pace = pace;
        }

        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            for (int waited = 0; waited < milliseconds(); waited += LOOK_AGAIN_MILLIS) {
                try {
                    TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("ended while it was held", e);
                }
            }
            return super.gradient(parameters, batch, seed);
        }

        private int milliseconds() {
            try {
                return Integer.parseInt(Files.readString(pace).trim());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
