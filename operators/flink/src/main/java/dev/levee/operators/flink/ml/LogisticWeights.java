package dev.levee.operators.flink.ml;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;

/**
 * A trained logistic regression.
 *
 * @param features number of features of a sample
 * @param classes number of classes
 * @param parameters a (classes, features) weight, then a bias per class
 */
record LogisticWeights(int features, int classes, float[] parameters) implements Serializable {
    /** The class with the largest logit; of equal ones, the lowest class. */
    int predict(float[] sample) {
        if (sample.length != features) {
            throw new IllegalArgumentException(
                    "the model takes %d features, got %d".formatted(features, sample.length));
        }
        int best = 0;
        double bestLogit = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < classes; c++) {
            double logit = parameters[classes * features + c];
            for (int j = 0; j < features; j++) {
                logit += (double) parameters[c * features + j] * sample[j];
            }
            if (logit > bestLogit) {
                best = c;
                bestLogit = logit;
            }
        }
        return best;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(features);
        out.writeInt(classes);
        for (float value : parameters) {
            out.writeFloat(value);
        }
    }

    static LogisticWeights read(DataInputStream in) throws IOException {
        int features = in.readInt();
        int classes = in.readInt();
        float[] parameters = new float[Math.multiplyExact(features + 1, classes)];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = in.readFloat();
        }
        return new LogisticWeights(features, classes, parameters);
    }
}
