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
 * A model of which only the tensors and their initial values are known, from a file. Levee does not
 * know what the model computes. It is served to outside workers, which do.
 *
 * @param name path of the file, on a file system that Flink supports
 * @param layout the layout of the flat vector
 */
public record WeightsModel(String name, Layout layout) implements Model {
    /**
     * Opens a file of {@code numpy.savez} or in the safetensors format. Arrays of integers are left
     * out, such as a count of batches.
     *
     * @throws IllegalArgumentException if the file has neither format, or has no float32 array; one
     *     sentence
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

    /** A learner that cannot compute; it only stands for the model. */
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
            // Nothing to release.
        }
    }
}
