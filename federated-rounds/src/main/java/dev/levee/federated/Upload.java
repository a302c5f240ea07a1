package dev.levee.federated;

import dev.levee.federated.compression.Change;
import dev.levee.federated.compression.Compression;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.gar.Draws;
import dev.levee.learners.Layout;
import dev.levee.operators.rounds.training.Work;

import java.io.Serializable;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Turns a device's trained model w into its contribution. The values after the trainable ones are
 * always taken from w.
 */
public sealed interface Upload extends Serializable {
    /**
     * The start of the device's steps: the server's model x, unless the device has a change that it
     * has not sent.
     *
     * @param kept vectors that the device kept
     * @return x itself, or a new array
     */
    default float[] begin(float[] x, int trainable, Map<String, float[]> kept) {
        return x;
    }

    /**
     * Scales x − w by a function of the device's loss, if the loss determines its weight.
     *
     * @param values x − w, changed in place, then buffers
     * @param rate size of the device's steps
     * @param loss the mean loss at x of the batches that the device trained on
     * @return factor of the device's weight
     */
    default double weigh(float[] values, int trainable, double rate, DoubleSupplier loss) {
        return 1;
    }

    /**
     * Turns x − w into the values to send; by default, it does not change them.
     *
     * @param values x − w, changed in place, then buffers
     * @param x the server's model
     * @param kept receives vectors that the device must keep
     */
    default void finish(
            float[] values, float[] x, int trainable, Work.Task task, Map<String, float[]> kept) {}

    private static void scale(float[] values, int trainable, float scale) {
        for (int i = 0; i < trainable; i++) {
            values[i] *= scale;
        }
    }

    /** x − w. */
    record Difference() implements Upload {}

    /**
     * s(τ)·(x − w), for asynchronous rounds.
     *
     * @param weight s
     */
    record Faded(StalenessWeight weight) implements Upload {
        @Override
        public void finish(
                float[] values,
                float[] x,
                int trainable,
                Work.Task task,
                Map<String, float[]> kept) {
            long due = task.settings().due(task.round(), task.worker());
            float scale = (float) weight.at(due - task.round());
            scale(values, trainable, scale);
        }
    }

    /**
     * (x − w)·L̄/L_k, for devices whose steps have different total lengths.
     *
     * @param lengths total length of each device's steps, L_k
     * @param weights the devices' weights, with which L̄ is the mean over the asked devices
     */
    record Normalized(double[] lengths, double[] weights) implements Upload {
        @Override
        public void finish(
                float[] values,
                float[] x,
                int trainable,
                Work.Task task,
                Map<String, float[]> kept) {
            double sum = 0;
            double total = 0;
            for (int device : task.settings().cohort().ids()) {
                sum += weights[device] * lengths[device];
                total += weights[device];
            }
            float scale = (float) (sum / total / lengths[task.worker()]);
            scale(values, trainable, scale);
        }
    }

    /**
     * (x − w)·F^q/h with the weight h = F^q + q·F^(q−1)·‖x − w‖²/η, where F is the loss at x.
     *
     * @param q strength of the preference for devices with a greater loss
     */
    record Fair(double q) implements Upload {
        /** Least loss, which keeps powers of a loss of 0 finite, as in the authors' code. */
        private static final double LEAST = 1e-10;

        @Override
        public double weigh(float[] values, int trainable, double rate, DoubleSupplier loss) {
            double f = loss.getAsDouble() + LEAST;
            double square = 0;
            for (int i = 0; i < trainable; i++) {
                square += (double) values[i] * values[i];
            }
            double power = StrictMath.pow(f, q);
            double h = power + q * StrictMath.pow(f, q - 1) * square / rate;
            float scale = (float) (power / h);
            scale(values, trainable, scale);
            return h;
        }
    }

    /** w. */
    record Model() implements Upload {
        @Override
        public void finish(
                float[] values,
                float[] x,
                int trainable,
                Work.Task task,
                Map<String, float[]> kept) {
            for (int i = 0; i < trainable; i++) {
                values[i] = x[i] - values[i];
            }
        }
    }

    /**
     * Compresses the result of another upload.
     *
     * @param whole the other upload
     * @param layout the layout of the model
     * @param seed the run's seed
     */
    record Compressed(Upload whole, Compression compression, Layout layout, long seed)
            implements Upload {
        private static final long STREAM = 0x51B7E03D94C2A86FL;

        @Override
        public double weigh(float[] values, int trainable, double rate, DoubleSupplier loss) {
            return whole.weigh(values, trainable, rate, loss);
        }

        @Override
        public void finish(
                float[] values,
                float[] x,
                int trainable,
                Work.Task task,
                Map<String, float[]> keeps) {
            whole.finish(values, x, trainable, task, keeps);
            long key = Draws.key(seed, STREAM, task.round(), task.worker());
            compression.apply(new Change(values, layout, key, task.kept(), keeps));
        }

        /** Number of bytes of the model that a device sends, buffers included. */
        long bytes() {
            return compression.bytes(layout)
                    + (long) Float.BYTES * (layout.size() - layout.trainable());
        }
    }

    /**
     * x − w on the round's slice, and 0 elsewhere. The device keeps the rest of x − w, and
     * subtracts it from the model of the next round before it continues.
     *
     * @param sync determines the slice
     * @param seed the run's seed
     */
    record Slice(PartialSync sync, long seed) implements Upload {
        private static final String ERROR = "error";

        @Override
        public float[] begin(float[] x, int trainable, Map<String, float[]> kept) {
            float[] error = kept.get(ERROR);
            if (error == null) {
                return x;
            }
            float[] w = x.clone();
            for (int i = 0; i < trainable; i++) {
                w[i] -= error[i];
            }
            return w;
        }

        @Override
        public void finish(
                float[] values,
                float[] x,
                int trainable,
                Work.Task task,
                Map<String, float[]> kept) {
            PartialSync.Range slice = sync.slice(seed, task.round(), trainable);
            float[] error = new float[trainable];
            for (int i = 0; i < trainable; i++) {
                if (i < slice.from() || i >= slice.to()) {
                    error[i] = values[i];
                    values[i] = 0;
                }
            }
            kept.put(ERROR, error);
        }
    }
}
