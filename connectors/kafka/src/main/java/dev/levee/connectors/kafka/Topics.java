package dev.levee.connectors.kafka;

import java.io.Serializable;
import java.util.List;

/**
 * The topics of a run. Block b of every kind of record is in partition b mod the number of
 * partitions. That number is the same for the three topics that every run has, and never changes.
 *
 * @param name of the run: letters, digits, dots, dashes and underscores
 */
public record Topics(String name) implements Serializable {
    /** A run's topics. */
    public Topics {
        if (!name.matches("[A-Za-z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    "a run's name must consist of letters, digits, dots, dashes and underscores,"
                            + " got \"%s\"".formatted(name));
        }
    }

    /** Versions of the model, from the job to the workers; keyed by block, compacted. */
    public String models() {
        return name + ".models";
    }

    /** Gradients, from the workers to the job; kept for a while, then deleted. */
    public String gradients() {
        return name + ".gradients";
    }

    /** The topic of the job's other state of a version; keyed by block, compacted. */
    public String states() {
        return name + ".states";
    }

    /**
     * Scores, from the worker that is asked to evaluate to the job; one partition, and only in runs
     * that ask one.
     */
    public String scores() {
        return name + ".scores";
    }

    /**
     * The job's messages to devices in secure sums that they may leave; as many partitions as
     * models have, kept for a while, and only in runs of such sums.
     */
    public String sums() {
        return name + ".sums";
    }

    /**
     * Accounts of devices, between those who administer them and gateways; one partition, kept for
     * ever, and only in runs that devices take part in through a gateway.
     */
    public String devices() {
        return name + ".devices";
    }

    /** The topics that every run has. */
    public List<String> all() {
        return List.of(models(), gradients(), states());
    }

    /** The partition of a block. */
    public static int partition(int block, int partitions) {
        return Math.floorMod(block, partitions);
    }
}
