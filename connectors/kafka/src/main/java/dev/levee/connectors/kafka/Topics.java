package dev.levee.connectors.kafka;

import java.io.Serializable;
import java.util.List;

/**
 * The topics of a run. Block b of every kind of record is in partition b mod p, where p is the
 * number of partitions. The three topics that every run has share the same p, which never changes.
 *
 * @param name name of the run: letters, digits, dots, dashes and underscores
 */
public record Topics(String name) implements Serializable {
    /** Checks the name. */
    public Topics {
        if (!name.matches("[A-Za-z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    "a run's name must consist of letters, digits, dots, dashes and underscores,"
                            + " got \"%s\"".formatted(name));
        }
    }

    /**
     * The topic of versions of the model, from the job to the workers; keyed by block, compacted.
     */
    public String models() {
        return name + ".models";
    }

    /**
     * The topic of gradients, from the workers to the job. Records are deleted after the retention.
     */
    public String gradients() {
        return name + ".gradients";
    }

    /**
     * The topic of the state that the job keeps of a version besides the model; keyed by block,
     * compacted.
     */
    public String states() {
        return name + ".states";
    }

    /**
     * The topic of scores, from the evaluating worker to the job; one partition. Only runs with
     * such a worker have it.
     */
    public String scores() {
        return name + ".scores";
    }

    /**
     * The topic of the job's messages to devices in secure sums that devices may leave. It has as
     * many partitions as the topic of models, and records are deleted after the retention. Only
     * runs with such sums have it.
     */
    public String sums() {
        return name + ".sums";
    }

    /**
     * The topic of devices' accounts, from administrators to gateways; one partition, kept forever.
     * Only runs with a gateway have it.
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
