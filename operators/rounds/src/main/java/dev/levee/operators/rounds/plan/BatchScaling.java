package dev.levee.operators.rounds.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The progress of a round with another batch size than the reference, in rounds at the reference,
 * and the step size for it.
 */
public enum BatchScaling {
    /**
     * By the gradient's noise scale φ: a round with batch B counts as (φ/B₀ + 1) / (φ/B + 1), its
     * gain, and the step size follows that (Johnson et al. 2020, "AdaScale SGD", §3); where the
     * optimizer divides by the gradient's size, its square root.
     */
    ADASCALE {
        @Override
        double gain(double batch, double reference, double noise) {
            if (Double.isNaN(noise)) {
                // The least gain, whatever the noise scale is.
                return Math.min(1, batch / reference);
            }
            return (noise / reference + 1) / (noise / batch + 1);
        }

        @Override
        double batch(double gain, double reference, double noise) {
            if (Double.isNaN(noise)) {
                return gain * reference;
            }
            double left = (noise / reference + 1) / gain - 1;
            return left > 0 ? noise / left : Double.POSITIVE_INFINITY;
        }

        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            double gain = gain(batch, reference, noise);
            return adaptive ? Math.sqrt(gain) : gain;
        }
    },

    /** Each sample counts fully, and the step size follows the batch in proportion. */
    LINEAR {
        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            return batch / reference;
        }
    },

    /** Each sample counts fully, and the step size follows the square root of the batch. */
    SQRT {
        @Override
        double rate(double batch, double reference, double noise, boolean adaptive) {
            return Math.sqrt(batch / reference);
        }
    };

    /**
     * The one of this name.
     *
     * @return empty if none has it
     */
    public static Optional<BatchScaling> named(String name) {
        return Stream.of(values()).filter(each -> each.text().equals(name)).findFirst();
    }

    /** Its name, as options have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The progress of a round, in rounds at the reference.
     *
     * @param batch samples that the round's aggregate averages
     * @param reference samples that it averages as the run starts
     * @param noise φ in samples, NaN if unknown
     */
    double gain(double batch, double reference, double noise) {
        return batch / reference;
    }

    /** The batch that is worth so much; infinite if none is. */
    double batch(double gain, double reference, double noise) {
        return gain * reference;
    }

    /**
     * The step size of a round relative to the reference.
     *
     * @param adaptive true if the optimizer divides by the gradient's size
     */
    abstract double rate(double batch, double reference, double noise, boolean adaptive);
}
