package dev.levee.learners;

import java.io.Serializable;

/**
 * The quantity that training minimizes. With several targets, the loss of a sample is the mean over
 * its targets. The loss of a batch is the mean over its samples. Both are as in PyTorch.
 */
public sealed interface Loss extends Serializable {
    /** The loss of classification. */
    Loss DEFAULT = new CrossEntropy();

    /** The forms that {@link #parse} accepts, for messages. */
    String FORMS = "cross-entropy, bce, mse, mae, huber, huber(DELTA) and module";

    /** Name with parameters, in the form that {@link #parse} reads back. */
    String name();

    /** −log of the softmax at the sample's class. There is one output for each class. */
    record CrossEntropy() implements Loss {
        @Override
        public String name() {
            return "cross-entropy";
        }
    }

    /**
     * Binary cross-entropy, −y·log σ(o) − (1 − y)·log(1 − σ(o)). There is one logit o for each
     * target y of 0 or 1. With two classes, the second class is 1.
     */
    record BinaryCrossEntropy() implements Loss {
        @Override
        public String name() {
            return "bce";
        }
    }

    /** Squared error, (o − y)². */
    record SquaredError() implements Loss {
        @Override
        public String name() {
            return "mse";
        }
    }

    /** Absolute error, |o − y|, whose slope at 0 is 0. */
    record AbsoluteError() implements Loss {
        @Override
        public String name() {
            return "mae";
        }
    }

    /**
     * Half the squared error up to an error of δ, and δ·(|o − y| − δ/2) beyond (Huber, Annals of
     * Mathematical Statistics 35, 1964).
     *
     * @param delta δ, above 0
     */
    record Huber(double delta) implements Loss {
        public Huber {
            if (!(delta > 0) || Double.isInfinite(delta)) {
                throw new IllegalArgumentException(
                        "huber takes a finite number above 0, got " + delta);
            }
        }

        @Override
        public String name() {
            return delta == 1 ? "huber" : "huber(" + delta + ")";
        }
    }

    /** The model's own method {@code loss(outputs, targets)}. */
    record OfModule() implements Loss {
        @Override
        public String name() {
            return "module";
        }
    }

    /**
     * Reads a loss's name.
     *
     * @throws IllegalArgumentException if no loss has this name, or its parameter is invalid; one
     *     sentence
     */
    static Loss parse(String text) {
        String name = text.strip();
        if (name.startsWith("huber(") && name.endsWith(")")) {
            String delta = name.substring("huber(".length(), name.length() - 1).strip();
            try {
                return new Huber(Double.parseDouble(delta));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "huber takes a finite number above 0, got " + delta, e);
            }
        }
        return switch (name) {
            case "cross-entropy" -> DEFAULT;
            case "bce" -> new BinaryCrossEntropy();
            case "mse" -> new SquaredError();
            case "mae" -> new AbsoluteError();
            case "huber" -> new Huber(1);
            case "module" -> new OfModule();
            default ->
                    throw new IllegalArgumentException(
                            "unknown loss " + text + ": there are " + FORMS);
        };
    }
}
