package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.setting.Values.named;
import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.gar.attacks.LabelFlip;

import java.util.Arrays;

/** The samples of a run, checked before it starts. */
public final class RunData {
    private static final String FLIPS = new LabelFlip().name();

    private RunData() {}

    /**
     * Opens samples to train on, and those to test on, which the first evaluation would miss.
     *
     * @throws IllegalArgumentException if they cannot be read, or are not alike; one sentence
     */
    public static Dataset open(String uri) {
        Dataset training = named("--dataset", () -> Datasets.open(uri, Datasets.Split.TRAIN));
        Dataset test = named("--dataset", () -> Datasets.open(uri, Datasets.Split.TEST));
        require(
                Arrays.equals(test.shape(), training.shape())
                        && test.targets() == training.targets(),
                "--dataset: samples to train on have %s, those to test on have %s",
                kind(training),
                kind(test));
        require(
                test.classes() <= training.classes(),
                "--dataset: samples to train on have %s classes, those to test on have %s",
                training.classes(),
                test.classes());
        return training;
    }

    private static String kind(Dataset data) {
        return "the shape %s and %s"
                .formatted(
                        Arrays.toString(data.shape()),
                        data.targets() == 0 ? "classes" : data.targets() + " targets");
    }

    /**
     * Requires that nothing is about classes where samples have targets.
     *
     * @param attack null if there is no attack
     */
    public static void checkClasses(Dataset data, String partition, String attack) {
        if (data.targets() == 0) {
            return;
        }
        require(
                !Partition.parse(partition).byClasses(),
                "--partition %s deals by classes, but the data set has targets; use iid",
                partition);
        require(
                attack == null || !attack.strip().startsWith(FLIPS),
                "--attack %s flips classes, but the data set has targets; reversed is similar",
                attack);
    }
}
