package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.connectors.data.Partition;
import dev.levee.federated.devices.Weighting;
import dev.levee.operators.rounds.training.Work;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The job's view of devices that are processes of their own with data that the job does not know:
 * it checks their weights. Each device reports its own number of samples.
 *
 * @param mostSamples largest number of samples that a device may claim to hold
 * @param weighting equal, or by samples
 * @param alike the weight of each device if all are equal
 * @param scores true if they score models
 */
public record OwnData(int mostSamples, Weighting weighting, double alike, boolean scores)
        implements Work {
    /** The partition in which every device holds the whole data set that it opens. */
    public static final Partition ALL = new All();

    /** Creates the view of devices that do not score models. */
    public OwnData(int mostSamples, Weighting weighting) {
        this(mostSamples, weighting, 1, false);
    }

    /**
     * Checks that devices can know their weights.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if they cannot; one sentence
     */
    public OwnData {
        require(mostSamples >= 1, "{mostSamples} must be at least 1, got %s", mostSamples);
        require(
                weighting == Weighting.EQUAL || weighting == Weighting.SAMPLES,
                "{weighting} must be equal or samples with {mostSamples}, because the job does not"
                        + " know the devices' classes, got %s",
                weighting.word());
    }

    @Override
    public boolean mayWeigh(int participant, double weight) {
        return weighting == Weighting.EQUAL
                ? weight == alike
                : weight >= 1 && weight <= mostSamples && weight == Math.rint(weight);
    }

    /**
     * Never called, because devices are outside the job.
     *
     * @throws IllegalStateException always
     */
    @Override
    public Result work(
            Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        throw new IllegalStateException("devices with their own data are not part of the job");
    }

    private record All() implements Partition {
        @Override
        public String name() {
            return "all";
        }

        @Override
        public int[][] deal(int[] labels, int classes, int workers, long seed) {
            int[][] shares = new int[workers][];
            Arrays.fill(shares, IntStream.range(0, labels.length).toArray());
            return shares;
        }
    }
}
