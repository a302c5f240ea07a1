package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.setting.Values.named;
import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.gar.attacks.LabelFlip;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/** Opens and checks the samples of a run. */
public final class RunData {
    private static final String FLIPS = new LabelFlip().name();

    private RunData() {}

    /**
     * Opens the training samples.
     *
     * @throws IllegalArgumentException if they cannot be read; one sentence
     */
    public static Dataset open(String uri) {
        return named("--dataset", () -> Datasets.open(uri, Datasets.Split.TRAIN));
    }

    /**
     * Checks that each worker gets training samples, and that there are test samples.
     *
     * @throws IllegalArgumentException if a worker gets no samples, or there are no test samples;
     *     one sentence
     */
    public static void check(Training training) {
        String uri = training.data().uri();
        checkTest(uri);
        if (!training.plan().oneOrder()) { // otherwise all read the same samples
            named(
                    "--dataset " + uri,
                    () -> Batches.shares(training, Datasets.open(uri, Datasets.Split.TRAIN)));
        }
    }

    /**
     * Checks the test samples before the run; otherwise only the first evaluation would fail.
     *
     * @throws IllegalArgumentException if they cannot be read, differ in shape or targets from the
     *     training samples, or have more classes; one sentence
     */
    static void checkTest(String uri) {
        Dataset training = open(uri);
        Dataset test = named("--dataset", () -> Datasets.open(uri, Datasets.Split.TEST));
        checkAlike(uri, training, test);
    }

    static void checkAlike(String uri, Dataset training, Dataset test) {
        require(
                Arrays.equals(test.shape(), training.shape())
                        && test.targets() == training.targets(),
                "--dataset: training samples have %s, test samples have %s",
                kind(training),
                kind(test));
        require(
                test.classes() <= training.classes(),
                "--dataset: training samples have %s classes, but test samples have %s%s",
                training.classes(),
                test.classes(),
                PythonAddresses.file(uri).isPresent()
                        ? ": set classes = %d in the Python file".formatted(test.classes())
                        : "");
    }

    private static String kind(Dataset data) {
        return "the shape %s and %s"
                .formatted(
                        Arrays.toString(data.shape()),
                        data.targets() == 0 ? "classes" : data.targets() + " targets");
    }

    /**
     * Checks that neither partition nor attack needs classes if the samples have targets.
     *
     * @param attack null if there is no attack
     */
    public static void checkClasses(Dataset data, String partition, String attack) {
        if (data.targets() == 0) {
            return;
        }
        require(
                !Partition.parse(partition).byClasses(),
                "--partition %s distributes by class, but the data set has targets; use iid or natural",
                partition);
        require(
                attack == null || !attack.strip().startsWith(FLIPS),
                "--attack %s flips classes, but the data set has targets; reversed is similar",
                attack);
    }
}
