package dev.levee.operators.rounds.training;

import dev.levee.gar.Draws;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.LocalRound;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.report.LocalScore;

import java.io.Serializable;
import java.util.Map;

/**
 * Computes a participant's contribution from a model, its data and its state. Runs on a compute
 * thread. The same arguments must give the same result, because work is repeated after a failure.
 */
public interface Work extends Serializable {
    /** The state of a model without a loop of its own. */
    byte[] NOTHING = {};

    /**
     * A task for a participant.
     *
     * @param group the group of servers whose models it reads
     * @param consumed number of samples before its batch: those drawn from its share or, if all
     *     samples have one order, the earlier ones in this order
     * @param answered newest round that it has answered, whose state it has; −1 before the first
     * @param kept the vectors that its work kept from earlier rounds, by name
     * @param own the state of the model's own loop
     */
    record Task(
            int group,
            int worker,
            long round,
            Settings settings,
            float[] parameters,
            long consumed,
            long answered,
            Map<String, float[]> kept,
            byte[] own,
            long modelAt) {
        /**
         * A task of a participant that has answered the previous round, without a loop of its own.
         */
        public Task(
                int group,
                int worker,
                long round,
                Settings settings,
                float[] parameters,
                long consumed,
                Map<String, float[]> kept,
                long modelAt) {
            this(
                    group,
                    worker,
                    round,
                    settings,
                    parameters,
                    consumed,
                    round - 1,
                    kept,
                    NOTHING,
                    modelAt);
        }
    }

    /** The source of a participant's gradients. */
    interface Gradients {
        /**
         * The gradient of the participant's next batch.
         *
         * @param parameters the flat parameters at which it is computed; not changed
         * @param step number of this gradient in its round, from 0
         */
        Gradient at(float[] parameters, int step);

        /**
         * Trains for a round with the model's own loop, if {@link dev.levee.learners.Model#ownLoop}
         * says that it has one.
         *
         * @param parameters the initial flat parameters; not changed
         * @param rate learning rate for the loop
         * @param steps number of batches for the loop
         */
        default LocalRound.Result trained(float[] parameters, double rate, int steps) {
            throw new UnsupportedOperationException("the model has no training loop of its own");
        }

        /**
         * Scores a model on samples that the participant does not train on: samples of its own, or
         * test samples that resemble its data.
         *
         * @param parameters the parameters of the model, flat; not changed
         * @return null if there are no such samples
         */
        default Evaluation heldOut(float[] parameters) {
            return null;
        }

        /** Comparison of the halves of the last batch; null if it is not measured. */
        default HalfBatches halves() {
            return null;
        }
    }

    /**
     * The result of a round's work.
     *
     * @param values gradient, or difference of trainable values, then new values of buffers
     * @param weight weight of the contribution, above 0
     * @param loss mean loss, NaN if unknown
     * @param vectors vectors for the next round, by name
     * @param own the state of the model's own loop
     * @param halves comparison of the halves of its batch, null if not measured
     * @param score score of the participant's model on its own samples, null if not scored
     * @param unread called when the array of values is no longer read, as for a {@link Gradient}
     */
    record Result(
            float[] values,
            double weight,
            double loss,
            Map<String, float[]> vectors,
            byte[] own,
            HalfBatches halves,
            LocalScore score,
            Runnable unread) {
        /** A result without halves and scores. */
        public Result(float[] values, double weight, double loss, Map<String, float[]> vectors) {
            this(values, weight, loss, vectors, NOTHING, null);
        }

        /** A result without a score. */
        public Result(
                float[] values,
                double weight,
                double loss,
                Map<String, float[]> vectors,
                byte[] own,
                HalfBatches halves) {
            this(values, weight, loss, vectors, own, halves, null, Gradient.NOTHING);
        }

        /** The same result with other values. */
        public Result with(float[] other) {
            return new Result(other, weight, loss, vectors, own, halves, score, Gradient.NOTHING);
        }

        /** The same result with another weight. */
        public Result weighing(double other) {
            return new Result(values, other, loss, vectors, own, halves, score, unread);
        }

        /** The same result with another state of the model's own loop. */
        public Result keeping(byte[] other) {
            return new Result(values, weight, loss, vectors, other, halves, score, unread);
        }

        /** The same result with a score, null for none. */
        public Result scored(LocalScore other) {
            return new Result(values, weight, loss, vectors, own, halves, other, unread);
        }
    }

    /**
     * True if participants score models. They use samples that the partition holds out or, if it
     * holds none out, parts of the test set that resemble their shares of the training set.
     */
    default boolean scores() {
        return false;
    }

    /** Number of batches drawn in a round; each step draws one. */
    default int steps() {
        return 1;
    }

    /**
     * Number of batches that one participant draws in a round, if participants differ.
     *
     * @param participant its id
     */
    default int steps(int participant) {
        return steps();
    }

    /**
     * The source of a batch.
     *
     * @param share number of the share of the data
     * @param before number of samples before the batch in the share's order
     * @param holder the participant that holds the samples, and may flip their labels
     */
    record Draw(int share, long before, int holder) {}

    /**
     * The source of a batch: the participant's own share, unless participants swap models or
     * several hold the same share.
     *
     * @param participant the participant of the batch
     * @param consumed samples that it has drawn before
     * @param size samples of a batch
     */
    default Draw draw(int participant, long consumed, int size) {
        return new Draw(participant, consumed, participant);
    }

    /** True if the work supports plans with one order of all samples. */
    default boolean sharesOrder() {
        return steps() == 1;
    }

    /**
     * The first batch of a participant in plans with one order of all samples. A round has as many
     * batches as workers, and further steps take the following batches.
     *
     * @return the batch's number in the round
     */
    default int firstBatch(Settings settings, int participant) {
        return settings.cohort().place(participant);
    }

    /**
     * The largest number of workers, up to the available ones, that a round can have; 0 if there
     * are too few.
     */
    default int cohort(int available) {
        return available;
    }

    /**
     * The seed of the model's random choices in one step of a task.
     *
     * @param seed the seed of the training
     * @param round number of the participants' round
     */
    default long modelSeed(long seed, Task task, long round, int step) {
        return modelSeed(seed, task.worker(), round, step);
    }

    /**
     * The seed of the model's random choices in one step of a participant's round.
     *
     * @param seed the seed of the training
     */
    default long modelSeed(long seed, int participant, long round, int step) {
        return step == 0
                ? Draws.key(seed, participant, round)
                : Draws.key(seed, participant, round, step);
    }

    /**
     * True if each coordinate of a contribution depends only on the same coordinate of one gradient
     * at the server's model and of the previous contribution ({@link #sent}). Blocks may then be
     * computed and sent by different processes.
     */
    default boolean blockwise() {
        return false;
    }

    /** True if, with separate blocks, the sent values must be kept for the next round. */
    default boolean keepsSent() {
        return false;
    }

    /**
     * The values to send of a part of a contribution whose blocks are computed separately.
     *
     * @param before the last values sent of the part; null in the first round, or if none are kept
     * @param gradient the gradient of the part's coordinates, trained ones first; taken over
     * @param trainable number of trained coordinates
     */
    default float[] sent(float[] before, float[] gradient, int trainable) {
        return gradient;
    }

    /**
     * Checks that a training is compatible with this work.
     *
     * @throws WrongTrainingException if it is not; one sentence
     */
    default void check(Training training) {}

    /**
     * Number of samples of its share before a participant's first batch for a version: those that
     * it has drawn, unless its contribution must follow from the version alone.
     *
     * @param participant its id
     * @param version the version of the model
     * @param batchSize samples of a batch
     * @param drawn samples that it has drawn
     */
    default long samplesBefore(int participant, long version, int batchSize, long drawn) {
        return drawn;
    }

    /**
     * True if a contribution may have this weight. Called for participants outside the job, which
     * may claim any weight.
     *
     * @param participant its id
     * @param weight as in {@link Result#weight}, finite and above 0
     */
    default boolean mayWeigh(int participant, double weight) {
        return true;
    }

    /**
     * The state of a participant that keeps only its last contribution.
     *
     * @param sent the sent values, as in {@link Result#values}
     */
    default Map<String, float[]> recovered(float[] sent) {
        return Map.of();
    }

    /**
     * Does a round's work.
     *
     * @param task the task
     * @param kept the vectors that the participant kept, by name; empty in the first round
     * @param trainable number of trained parameters, which come first
     */
    Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients);
}
