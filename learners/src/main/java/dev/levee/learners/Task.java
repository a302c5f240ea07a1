package dev.levee.learners;

import dev.levee.connectors.data.Dataset;

import java.io.Serializable;
import java.util.List;

/**
 * The task that a model learns: a loss, and the classes or targets of its samples.
 *
 * @param loss the loss that training minimizes
 * @param classes number of classes; 0 if samples have targets
 * @param targets number of targets of each sample; 0 if samples have classes
 */
public record Task(Loss loss, int classes, int targets) implements Serializable {
    /**
     * Checks that the loss supports these classes or targets.
     *
     * @throws IllegalArgumentException if it does not; one sentence
     */
    public Task {
        if ((classes == 0) == (targets == 0) || classes < 0 || targets < 0) {
            throw new IllegalArgumentException(
                    "a task has classes or targets, got %d and %d".formatted(classes, targets));
        }
        if (targets == 0 && classes < 2) {
            throw new IllegalArgumentException(
                    "a model needs at least 2 classes, but the data set has " + classes);
        }
        if (loss instanceof Loss.CrossEntropy && targets > 0) {
            throw new IllegalArgumentException(
                    ("cross-entropy is for classes, but the data set has %s: use mse, mae or "
                                    + "huber for numbers, bce for 0 and 1, or give classes as whole"
                                    + " numbers")
                            .formatted(counted(targets)));
        }
        if (loss instanceof Loss.BinaryCrossEntropy && classes > 2) {
            throw new IllegalArgumentException(
                    ("bce is for two classes or targets of 0 and 1, but the data set has %d "
                                    + "classes: use cross-entropy")
                            .formatted(classes));
        }
        boolean ofNumbers =
                loss instanceof Loss.SquaredError
                        || loss instanceof Loss.AbsoluteError
                        || loss instanceof Loss.Huber;
        if (ofNumbers && targets == 0) {
            throw new IllegalArgumentException(
                    ("%s is for targets, but the data set has %d classes: name the numbers to "
                                    + "learn with ?targets=COLUMN in its address")
                            .formatted(loss.name(), classes));
        }
    }

    /** Classification by softmax cross-entropy. */
    public static Task classification(int classes) {
        return new Task(Loss.DEFAULT, classes, 0);
    }

    /**
     * The task of a loss on a data set. Checks the values of targets if the loss does not take all
     * numbers.
     *
     * @throws IllegalArgumentException if the data do not fit the loss; one sentence
     */
    public static Task of(Loss loss, Dataset data) {
        return of(loss, data, true);
    }

    /**
     * Like {@link #of}, for samples that a trained model is evaluated on. These may all have the
     * same target.
     *
     * @throws IllegalArgumentException if the data do not fit the loss; one sentence
     */
    public static Task ofTest(Loss loss, Dataset data) {
        return of(loss, data, false);
    }

    private static Task of(Loss loss, Dataset data, boolean training) {
        int targets = data.targets();
        Task task = new Task(loss, targets == 0 ? data.classes() : 0, targets);
        if (loss instanceof Loss.BinaryCrossEntropy && targets > 0) {
            checkBinary(data, training);
        }
        return task;
    }

    private static void checkBinary(Dataset data, boolean training) {
        int targets = data.targets();
        float[] values = new float[targets];
        boolean zero = false;
        boolean one = false;
        for (int sample = 0; sample < data.size(); sample++) {
            data.readTargets(sample, values, 0);
            for (int target = 0; target < targets; target++) {
                zero |= values[target] == 0;
                one |= values[target] == 1;
                if (values[target] != 0 && values[target] != 1) {
                    throw new IllegalArgumentException(
                            ("bce is for targets of 0 and 1, but %s has %s in sample %d: "
                                            + "use mse, mae or huber")
                                    .formatted(data.targetName(target), values[target], sample));
                }
            }
        }
        if (training && (!zero || !one)) {
            throw new IllegalArgumentException(
                    "bce needs targets of 0 and of 1, but all training samples have %d"
                            .formatted(one ? 1 : 0));
        }
    }

    private static String counted(int targets) {
        return targets == 1 ? "a target number" : targets + " target numbers per sample";
    }

    /** Number of outputs of a model for each sample. */
    public int outputs() {
        if (targets > 0) {
            return targets;
        }
        return loss instanceof Loss.BinaryCrossEntropy ? 1 : classes;
    }

    /** The scores of an evaluation besides the loss. Models are compared by the first score. */
    public List<Score> scores() {
        if (loss instanceof Loss.BinaryCrossEntropy) {
            return List.of(Score.ACCURACY, Score.AUC, Score.F1);
        }
        return targets > 0 ? List.of(Score.RMSE, Score.MAE, Score.R2) : List.of(Score.ACCURACY);
    }
}
