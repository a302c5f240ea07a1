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
 * What a participant does with a model, its data and what it keeps. Runs on a computing thread; the
 * same arguments give the same result, for after a failure work is done again.
 */
public interface Work extends Serializable {
    /** What a model without a loop of its own keeps. */
    byte[] NOTHING = {};

    /**
     * What a participant is asked to do.
     *
     * @param group which servers' models it reads
     * @param consumed samples before its batch: those that it has drawn from its share or, where
     *     the plan has one order of all samples, all that come before in it
     * @param kept what its work kept from earlier rounds, by name
     * @param own what the model's own loop kept
     */
    record Task(
            int group,
            int worker,
            long round,
            Settings settings,
            float[] parameters,
            long consumed,
            Map<String, float[]> kept,
            byte[] own,
            long modelAt) {
        /** A task of a participant whose model has no loop of its own. */
        public Task(
                int group,
                int worker,
                long round,
                Settings settings,
                float[] parameters,
                long consumed,
                Map<String, float[]> kept,
                long modelAt) {
            this(group, worker, round, settings, parameters, consumed, kept, NOTHING, modelAt);
        }
    }

    /** Where a participant's gradients come from. */
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
            throw new UnsupportedOperationException("the model has no loop of its own");
        }

        /**
         * How a model does on samples that the participant does not train on: its own, or those of
         * a part of the test set that is like its data.
         *
         * @param parameters of the model, flat; not changed
         * @return null if there are no such samples
         */
        default Evaluation heldOut(float[] parameters) {
            return null;
        }

        /** How the halves of the last batch lay to each other; null where nobody measures it. */
        default HalfBatches halves() {
            return null;
        }
    }

    /**
     * What comes of it.
     *
     * @param values gradient, or difference of trainable values, then new values of buffers
     * @param weight how much it counts, above 0
     * @param loss mean loss, NaN if none is known
     * @param vectors what is kept for the next round, by name
     * @param own what the model's own loop keeps
     * @param halves of the batch it was computed on, null where nobody measures it
     * @param score of the participant's model on its own samples, null where nobody scores it
     */
    record Result(
            float[] values,
            double weight,
            double loss,
            Map<String, float[]> vectors,
            byte[] own,
            HalfBatches halves,
            LocalScore score) {
        /** One that says nothing of halves and scores. */
        public Result(float[] values, double weight, double loss, Map<String, float[]> vectors) {
            this(values, weight, loss, vectors, NOTHING, null);
        }

        /** One without a score. */
        public Result(
                float[] values,
                double weight,
                double loss,
                Map<String, float[]> vectors,
                byte[] own,
                HalfBatches halves) {
            this(values, weight, loss, vectors, own, halves, null);
        }

        /** The same with other values. */
        public Result with(float[] other) {
            return new Result(other, weight, loss, vectors, own, halves, score);
        }

        /** The same with another weight. */
        public Result weighing(double other) {
            return new Result(values, other, loss, vectors, own, halves, score);
        }

        /** The same, which keeps something else for the model's own loop. */
        public Result keeping(byte[] other) {
            return new Result(values, weight, loss, vectors, other, halves, score);
        }

        /** The same with a score, null for none. */
        public Result scored(LocalScore other) {
            return new Result(values, weight, loss, vectors, own, halves, other);
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
     * Where a batch comes from.
     *
     * @param share number of the share of the data
     * @param before samples of that share's order before the batch
     * @param holder the participant who holds the samples, and may flip their labels
     */
    record Draw(int share, long before, int holder) {}

    /**
     * Where a batch comes from: the participant's own share, unless participants change places or
     * several hold the same share.
     *
     * @param participant whose batch it is
     * @param consumed samples that it has drawn before
     * @param size samples of a batch
     */
    default Draw draw(int participant, long consumed, int size) {
        return new Draw(participant, consumed, participant);
    }

    /**
     * The seed of what is random inside the model in one step of a participant's round.
     *
     * @param seed of the training
     */
    default long modelSeed(long seed, int participant, long round, int step) {
        return step == 0
                ? Draws.key(seed, participant, round)
                : Draws.key(seed, participant, round, step);
    }

    /**
     * True if what is sent of a block is the same block of one gradient at the server's model, and
     * nothing of it is kept: blocks may then be computed and sent in different places.
     */
    default boolean blockwise() {
        return false;
    }

    /**
     * Checks that a training with this work makes sense, as far as its other parts cannot.
     *
     * @throws WrongTrainingException if it does not; one sentence
     */
    default void check(Training training) {}

    /**
     * Samples of its share that come before the first batch that a participant draws for a version:
     * those that it has drawn, unless what it makes of a version has to follow from the version.
     *
     * @param participant its id
     * @param version of the model
     * @param batchSize samples of a batch
     * @param drawn samples that it has drawn
     */
    default long samplesBefore(int participant, long version, int batchSize, long drawn) {
        return drawn;
    }

    /**
     * True if what a participant sends may count so much. Asked where participants are processes of
     * their own, which may claim anything.
     *
     * @param participant its id
     * @param weight as {@link Result#weight}, finite and above 0
     */
    default boolean mayWeigh(int participant, double weight) {
        return true;
    }

    /**
     * What a participant has kept that remembers nothing but what it sent last.
     *
     * @param sent as {@link Result#values}
     */
    default Map<String, float[]> recovered(float[] sent) {
        return Map.of();
    }

    /**
     * Does a round's work.
     *
     * @param task what is asked
     * @param kept what the participant kept, by name; empty if it begins
     * @param trainable how many of the parameters are trained; they come first
     */
    Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients);
}
