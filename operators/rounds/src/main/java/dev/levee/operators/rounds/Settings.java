package dev.levee.operators.rounds;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;

/**
 * The settings of one round. Every model block carries them. Participants get them from no other
 * source, so all participants of a round use the same settings.
 *
 * @param cohort the participants
 * @param f Byzantine workers to tolerate among them
 * @param quorum complete contributions that close the round
 * @param batchSize samples per worker and local step
 * @param learningRate step size of the server
 * @param stop true for the final model, which opens no round
 * @param evaluate true if the model of this version is to be evaluated
 * @param samples samples taken in all rounds before this one
 * @param deadline how long the round is open, null for no limit
 * @param pulls the participants that compute on this model and the versions that the rows of its
 *     round answer; null if the cohort computes on this model and closes its round
 */
public record Settings(
        Cohort cohort,
        int f,
        int quorum,
        int batchSize,
        double learningRate,
        boolean stop,
        boolean evaluate,
        long samples,
        Duration deadline,
        Pulls pulls)
        implements Serializable {
    /** Settings of a round whose cohort computes on its model. */
    public Settings(
            Cohort cohort,
            int f,
            int quorum,
            int batchSize,
            double learningRate,
            boolean stop,
            boolean evaluate,
            long samples,
            Duration deadline) {
        this(cohort, f, quorum, batchSize, learningRate, stop, evaluate, samples, deadline, null);
    }

    /** Settings of a round without a deadline. */
    public Settings(
            Cohort cohort,
            int f,
            int quorum,
            int batchSize,
            double learningRate,
            boolean stop,
            boolean evaluate,
            long samples) {
        this(cohort, f, quorum, batchSize, learningRate, stop, evaluate, samples, null);
    }

    /** The same settings for a final model, which opens no round. */
    public Settings stopped() {
        return new Settings(cohort, f, quorum, batchSize, 0, true, true, samples, null);
    }

    /** The same settings after another number of samples. */
    public Settings after(long otherSamples) {
        return new Settings(
                cohort,
                f,
                quorum,
                batchSize,
                learningRate,
                stop,
                evaluate,
                otherSamples,
                deadline,
                pulls);
    }

    /** The same with other participants, of whom others are tolerated and waited for. */
    public Settings among(Cohort others, int otherF, int otherQuorum) {
        return new Settings(
                others,
                otherF,
                otherQuorum,
                batchSize,
                learningRate,
                stop,
                evaluate,
                samples,
                deadline,
                pulls);
    }

    /** The same without a barrier, and with another step size. */
    public Settings pulled(Pulls by, double stepSize) {
        return new Settings(
                cohort, f, quorum, batchSize, stepSize, stop, evaluate, samples, null, by);
    }

    /** Ids of the participants that compute on this model, ascending. */
    public int[] asked() {
        if (stop) {
            return new int[0];
        }
        return pulls == null ? cohort.ids() : pulls.devices().clone();
    }

    /** True if a participant is to compute on this model. */
    public boolean asks(int id) {
        return !stop && (pulls == null ? cohort.contains(id) : pulls.due(id) >= 0);
    }

    /**
     * The round to which a participant's answer to this model belongs.
     *
     * @param version the version of this model
     * @param id a participant that computes on this model
     */
    public long due(long version, int id) {
        return pulls == null ? version : pulls.due(id);
    }

    /**
     * The version that a row of the round answers.
     *
     * @param version the version that opened the round
     * @param place the row's place in the cohort
     */
    public long base(long version, int place) {
        return pulls == null ? version : pulls.bases()[place];
    }

    /**
     * The versions that the rows at these places answer.
     *
     * @param arrived versions that the contributions at these places answer, as their senders say
     */
    public long[] bases(int[] places, long[] arrived) {
        return pulls == null
                ? arrived
                : Arrays.stream(places).mapToLong(place -> pulls.bases()[place]).toArray();
    }

    /** Number of workers that take part. */
    public int workers() {
        return cohort.size();
    }

    /**
     * True if the round waits for all its participants, so those that have not answered at its
     * time-out count as faulty. If the round has a deadline, they count as late instead.
     */
    public boolean missingIsFault() {
        return quorum == cohort.size() && deadline == null;
    }
}
