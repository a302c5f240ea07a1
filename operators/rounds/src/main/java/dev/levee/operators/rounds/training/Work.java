package dev.levee.operators.rounds.training;

import dev.levee.gar.Draws;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.LocalRound;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.WrongTrainingException;

import java.io.Serializable;
import java.util.Map;

/**
 * The work of a participant with a model, its data and its state. Runs on a computing thread; the
 * same arguments must give the same result, because work is repeated after a failure.
 */
public interface Work extends Serializable {
    /** The state of a model without a loop of its own. */
    byte[] NOTHING = {};

    /**
     * A task for a participant.
     *
     * @param group which servers' models it reads
     * @param consumed samples before its batch: those that it has drawn from its share or, where
     *     the plan has one order of all samples, all that come before in it
     * @param answered newest round it has answered, whose state it keeps; −1 before the first
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
         * A task of a participant that has answered the round before, without a loop of its own.
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
         * @param parameters where, flat; not changed
         * @param step number of this gradient in its round, from 0
         */
        Gradient at(float[] parameters, int step);

        /**
         * A round of training by the model's own loop, where {@link
         * dev.levee.learners.Model#ownLoop} says that it has one.
         *
         * @param parameters where it starts, flat; not changed
         * @param rate learning rate that the loop is told
         * @param steps batches that it is given
         */
        default LocalRound.Result trained(float[] parameters, double rate, int steps) {
            throw new UnsupportedOperationException("the model has no training loop of its own");
        }

        /**
         * Scores of a model on samples that the participant does not train on: its own, or test
         * samples that resemble its data.
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
     * The result.
     *
     * @param values gradient, or difference of trainable values, then new values of buffers
     * @param weight how much it counts, above 0
     * @param loss mean loss, NaN if none is known
     * @param vectors vectors for the next round, by name
     * @param own the state of the model's own loop
     * @param halves of the batch it was computed on, null if it is not measured
     * @param score of the participant's model on its own samples, null if it is not scored
     * @param unread called when nobody reads the array of values any more, as that of a {@link
     *     Gradient} is
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

        /** The same with other values. */
        public Result with(float[] other) {
            return new Result(other, weight, loss, vectors, own, halves, score, Gradient.NOTHING);
        }

        /** The same with another weight. */
        public Result weighing(double other) {
            return new Result(values, other, loss, vectors, own, halves, score, unread);
        }

        /** The same, which keeps something else for the model's own loop. */
        public Result keeping(byte[] other) {
            return new Result(values, weight, loss, vectors, other, halves, score, unread);
        }

        /** The same with a score, null for none. */
        public Result scored(LocalScore other) {
            return new Result(values, weight, loss, vectors, own, halves, other, unread);
        }
    }

    /**
     * True if participants score models: on samples that the partition holds out or, where it holds
     * none out, on parts of the test set that are like their shares of the training set.
     */
    default boolean scores() {
        return false;
    }

    /** Batches drawn in a round; each step draws one. */
    default int steps() {
        return 1;
    }

    /**
     * Batches that one participant draws in a round, where that is not the same for all.
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
     * @param before samples of that share's order before the batch
     * @param holder the participant who holds the samples, and may flip their labels
     */
    record Draw(int share, long before, int holder) {}

    /**
     * The source of a batch: the participant's own share, unless participants change places or
     * several hold the same share.
     *
     * @param participant the participant of the batch
     * @param consumed samples that it has drawn before
     * @param size samples of a batch
     */
    default Draw draw(int participant, long consumed, int size) {
        return new Draw(participant, consumed, participant);
    }

    /** True if it can be done where the plan has one order of all samples. */
    default boolean sharesOrder() {
        return steps() == 1;
    }

    /**
     * The batch that a participant's first step takes, where the plan has one order of all samples:
     * a round has as many batches as workers, and further steps take those behind it.
     *
     * @return its number in the round
     */
    default int firstBatch(Settings settings, int participant) {
        return settings.cohort().place(participant);
    }

    /** The most of so many workers with whom a round can be made, 0 if there are too few. */
    default int cohort(int available) {
        return available;
    }

    /**
     * The seed of what is random inside the model in one step of a task.
     *
     * @param seed the seed of the training
     * @param round which of the participants' rounds it is
     */
    default long modelSeed(long seed, Task task, long round, int step) {
        return modelSeed(seed, task.worker(), round, step);
    }

    /**
     * The seed of what is random inside the model in one step of a participant's round.
     *
     * @param seed the seed of the training
     */
    default long modelSeed(long seed, int participant, long round, int step) {
        return step == 0
                ? Draws.key(seed, participant, round)
                : Draws.key(seed, participant, round, step);
    }

    /**
     * True if each coordinate of a contribution depends only on that coordinate of one gradient at
     * the server's model, and of the contribution before ({@link #sent}): blocks may then be
     * computed and sent in different places.
     */
    default boolean blockwise() {
        return false;
    }

    /** True if what is sent of a part must be kept for the next round, where blocks are apart. */
    default boolean keepsSent() {
        return false;
    }

    /**
     * The values to send of a part of a contribution whose blocks are computed separately.
     *
     * @param before the last values sent of the part; null if it begins, or nothing is kept
     * @param gradient the gradient of the part's coordinates, those that are trained first; taken
     *     over
     * @param trainable how many of them are trained
     */
    default float[] sent(float[] before, float[] gradient, int trainable) {
        return gradient;
    }

    /**
     * Checks that a training with this work makes sense, as far as its other parts cannot.
     *
     * @throws WrongTrainingException if it does not; one sentence
     */
    default void check(Training training) {}

    /**
     * Samples of its share that come before the first batch that a participant draws for a version:
     * those that it has drawn, unless its contribution must follow from the version alone.
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
     * True if a contribution may have this weight. Called for participants that are processes of
     * their own, which may claim any weight.
     *
     * @param participant its id
     * @param weight as {@link Result#weight}, finite and above 0
     */
    default boolean mayWeigh(int participant, double weight) {
        return true;
    }

    /**
     * The state of a participant that keeps only its last contribution.
     *
     * @param sent as {@link Result#values}
     */
    default Map<String, float[]> recovered(float[] sent) {
        return Map.of();
    }

    /**
     * Does a round's work.
     *
     * @param task the task
     * @param kept the vectors that the participant kept, by name; empty if it begins
     * @param trainable how many of the parameters are trained; they come first
     */
    Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients);
}
