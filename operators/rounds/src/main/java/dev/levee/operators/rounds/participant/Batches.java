package dev.levee.operators.rounds.participant;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.connectors.data.WrappedDataset;
import dev.levee.gar.Attack;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Arrays;

/**
 * Draws the batches of each worker of a training. A worker draws from its own share of the data. If
 * the plan uses one order of all data, it instead gets its part of each round's samples, so an
 * epoch has every sample once with any number of workers. Safe for concurrent use.
 */
public final class Batches {
    private final Training training;
    private final Dataset data;
    private final Sampler[] samplers;
    private final Dataset tested;
    private final int[][] heldOut;

    /**
     * Opens the training's data set and deals it to the workers.
     *
     * @throws IllegalArgumentException if the data set cannot be opened
     */
    public Batches(Training training) {
        this(training, Datasets.open(training.data().uri(), Datasets.Split.TRAIN));
    }

    /** Creates batches of an open data set. */
    Batches(Training training, Dataset data) {
        this.training = training;
        this.data = data;
        if (training.plan().oneOrder()) {
            Sampler all = new Sampler(HeldOut.workers(training, data), training.seed(), 0);
            samplers = new Sampler[training.plan().participants(training)];
            Arrays.fill(samplers, all);
            tested = data;
            heldOut = new int[samplers.length][0];
            return;
        }
        int[][] shares = shares(training, data);
        samplers = new Sampler[training.workers()];
        Arrays.setAll(samplers, w -> new Sampler(shares[w], training.seed(), w));
        int[][] own =
                training.work().scores()
                        ? dealt(training, data, training.data().partition()::heldOut)
                        : new int[samplers.length][0];
        boolean none = Arrays.stream(own).allMatch(each -> each.length == 0);
        if (none && training.work().scores()) {
            tested = Datasets.open(training.data().uri(), Datasets.Split.TEST);
            heldOut = TestShares.of(data, shares, tested, training.seed());
        } else {
            tested = data;
            heldOut = own;
        }
    }

    /** The samples in each worker's own share. */
    public static int[][] shares(Training training, Dataset data) {
        return dealt(training, data, training.data().partition()::deal);
    }

    /** {@link Partition#deal}, or the same for held-out samples. */
    private interface Deal {
        int[][] deal(int[] labels, int classes, int workers, long seed);
    }

    private static int[][] dealt(Training training, Dataset data, Deal deal) {
        int[] own = HeldOut.workers(training, data);
        boolean owners = training.data().partition().byOwners();
        int[] by = new int[own.length];
        Arrays.setAll(by, i -> owners ? data.owner(own[i]) : data.label(own[i]));
        int[][] shares =
                deal.deal(
                        by,
                        owners ? data.owners() : data.classes(),
                        training.workers(),
                        training.seed());
        int[][] samples = new int[shares.length][];
        // Workers with the same samples share one array.
        Arrays.setAll(
                samples,
                w -> w > 0 && shares[w] == shares[w - 1] ? samples[w - 1] : of(own, shares[w]));
        return samples;
    }

    private static int[] of(int[] samples, int[] places) {
        return Arrays.stream(places).map(place -> samples[place]).toArray();
    }

    /**
     * The next batch of a worker; labels are flipped if their holder is an attacker that flips
     * labels.
     *
     * @param consumed samples consumed before, as in {@link Work.Task#consumed}
     */
    public Batch next(int worker, long consumed, int size) {
        Work.Draw draw = training.work().draw(worker, consumed, size);
        Batch batch = data.batch(samplers[draw.share()].next(draw.before(), size));
        if (!training.attacks(draw.holder(), Attack::flipsLabels)) {
            return batch;
        }
        int last = data.classes() - 1;
        return new Batch(
                batch.features(),
                Arrays.stream(batch.labels()).map(y -> last - y).toArray(),
                batch.targets());
    }

    /**
     * Samples on which a worker scores models: its own samples that it does not train on, or a part
     * of the test set with a similar distribution.
     *
     * @return null if there are none
     */
    public Dataset heldOut(int worker) {
        return heldOut[worker].length == 0
                ? null
                : new WrappedDataset.Part(tested, heldOut[worker]);
    }

    /**
     * Number of samples from the start of a worker's batch to that of its next, under the same
     * settings.
     */
    long stride(int worker, Settings settings) {
        return (long) settings.batchSize()
                * (training.plan().oneOrder() ? settings.workers() : training.work().steps(worker));
    }

    /** Number of floats of a batch. */
    public long floats(int size) {
        long floats = size;
        for (int extent : data.shape()) {
            floats *= extent;
        }
        return floats;
    }
}
