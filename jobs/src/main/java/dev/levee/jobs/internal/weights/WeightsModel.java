package dev.levee.jobs.internal.weights;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.ZipException;

/**
 * A model of which only the tensors and their first values are known, from a file; Levee does not
 * know what is computed with them. It is served to workers outside, which know.
 *
 * @param name where the file is, on a file system that Flink knows
 * @param layout the layout of the flat vector
 */
public record WeightsModel(String name, Layout layout) implements Model {
    /**
     * Opens a file of {@code numpy.savez} or in the safetensors format. Arrays that are no
     * floating-point numbers, such as a count of batches, are left out.
     *
     * @throws IllegalArgumentException if it is neither, or has no float32 array; one sentence
     */
    public static WeightsModel open(String path) {
        return new WeightsModel(path, read(path).layout());
    }

    @Override
    public float[] initialParameters(long seed) {
        Tensors tensors = read(name);
        if (tensors.values().length != layout.size()) {
            throw new IllegalStateException(name + " has changed since the run was submitted");
        }
        return tensors.values();
    }

    @Override
    public Learner newLearner() {
        return new NoLearner(name);
    }

    private static Tensors read(String path) {
        Path file = new Path(path);
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            Tensors.checkMemory(file.getFileSystem().getFileStatus(file).getLen());
            byte[] content = in.readAllBytes();
            return Safetensors.begins(content)
                    ? Safetensors.read(content)
                    : NpzWeights.read(content);
        } catch (FileNotFoundException e) {
            throw new IllegalArgumentException(path + " does not exist", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        } catch (ZipException e) {
            throw new IllegalArgumentException(
                    path + " is neither what numpy.savez writes nor safetensors", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    /** Knows nothing of a model but that it is there. */
    private record NoLearner(String name) implements Learner {
        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            throw new UnsupportedOperationException(
                    name + " has weights only: workers outside the job compute its gradients");
        }

        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            return new Evaluation(0, Double.NaN, Double.NaN);
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }
}
