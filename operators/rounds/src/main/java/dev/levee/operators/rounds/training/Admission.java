package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.securesum.Masking;

import java.io.Serializable;
import java.time.Duration;

/**
 * Decides which contributions become rows, and when a round closes.
 *
 * @param quorum number of complete contributions that close a round, q; all participants in
 *     synchronous rounds
 * @param timeout how long a round waits for missing contributions after the first has arrived;
 *     participants that are still missing are faulty. Null to wait without limit
 * @param deadline how long a round is open; it then closes with the contributions that have
 *     arrived, as soon as they suffice for the rule, and the others are late. Null for no deadline
 * @param staleness largest number of versions between the model that a contribution answers and the
 *     current one; 0 if only contributions to the open round's model count. Otherwise a
 *     contribution that misses its round is a row of the next, and a round takes one contribution
 *     of each sender
 * @param nonFinite the treatment of contributions that contain NaN or infinity
 * @param rowsHeld largest number of rows that a shard keeps for a rule that only averages; rows of
 *     a larger cohort are added up as they arrive
 * @param least number of contributions that a round waits for even after its deadline
 * @param most largest number of contributions that a round takes; if more are complete, it takes
 *     those that answer the oldest version, and then those with the lowest ids. The others wait for
 *     later rounds, so this requires a staleness bound; {@link #ALL} for no limit
 * @param masking how contributions are hidden from the server
 * @param fanIn largest number of hosts that send a sum of contributions to the server; other hosts
 *     send their sums to these hosts if that is faster. {@link #ALL} if all hosts send to the
 *     server, 0 if hosts do not add up contributions. If hosts add up contributions, shards add up
 *     rows, too, whatever their number
 * @param ordered true if participants announce contributions and send them on request; a round then
 *     takes no more than its quorum
 */
public record Admission(
        CountOrShare quorum,
        Duration timeout,
        Duration deadline,
        int staleness,
        NonFinite nonFinite,
        int rowsHeld,
        int least,
        int most,
        Masking masking,
        int fanIn,
        boolean ordered)
        implements Serializable {
    /** A quorum of all contributions. */
    public static final int ALL = Integer.MAX_VALUE;

    /** Default number of held rows: they take little memory, and summing them together is fast. */
    public static final int ROWS_HELD = 64;

    /** Size of rows that stay in a processor's cache: 16 MiB. */
    private static final int CACHED_BLOCKS = 32;

    /** Treatment of contributions that contain NaN or infinity. */
    public enum NonFinite {
        /** The contribution is a proven fault of its worker in this round. */
        REJECT,
        /** The contribution takes part like any other; the rule has to cope. */
        KEEP
    }

    /**
     * Checks the numbers.
     *
     * @throws WrongTrainingException if one is invalid; one sentence
     */
    public Admission {
        require(quorum.fewestOf(1) >= 1, "{quorum} must be at least 1, got %s", quorum);
        require(aboveZero(timeout), "{roundTimeout} must be above 0, got %s", timeout);
        require(aboveZero(deadline), "{deadline} must be above 0, got %s", deadline);
        require(
                timeout == null || deadline == null,
                "a round has a {roundTimeout}, after which a missing worker is at fault, or"
                        + " a {deadline}, after which it is late, not both: got %s and %s",
                timeout,
                deadline);
        require(staleness >= 0, "{staleness} must not be negative, got %s", staleness);
        require(nonFinite != null, "{nonFinite} must be REJECT or KEEP, got null");
        require(rowsHeld >= 0, "{rowsHeld} must not be negative, got %s", rowsHeld);
        require(fanIn >= 0, "{combine} must be tree(k) with k of at least 1, got %s", fanIn);
        require(least >= 1, "{minDevices} must be at least 1, got %s", least);
        require(
                most == ALL || most >= quorum.fewestOf(most) && staleness > 0,
                "{buffer} must be what closes a round, %s, with a {staleness} of at least 1, got"
                        + " %s",
                quorum,
                most);
    }

    /**
     * True if only contributions to the open round's model count. Rows are then known as they
     * arrive.
     */
    public boolean inStep() {
        return staleness == 0;
    }

    /** True if NaN or infinity proves its sender's fault; masked values have neither. */
    public boolean provesNonFinite() {
        return !masking.hides() && nonFinite == NonFinite.REJECT;
    }

    /** False if a range of an array proves its sender's fault. */
    public boolean admits(float[] array, int from, int length) {
        return !provesNonFinite() || BlockKernels.finite(array, from, length);
    }

    /** True if a round waits for the contributions that it needs, however long they take. */
    public boolean waits() {
        return timeout == null && deadline == null;
    }

    /** The oldest version that a row may answer in the round that a version opens. */
    public long oldest(long version) {
        return version - staleness;
    }

    /**
     * The part of a look that shards measure as rows arrive. It is empty if the rows are not known
     * yet, or if pairs of many rows are measured. Measuring n rows on arrival reads n²/2 rows,
     * which is cheap only while all of them stay in a processor's cache. Otherwise, rows are
     * measured together once all are known, which reads each row once.
     *
     * @param rows number of rows of the round
     * @param blocks number of blocks of each row
     */
    public Look measured(Look look, int rows, int blocks) {
        boolean together = look.pairs() && (long) rows * blocks > CACHED_BLOCKS;
        return inStep() && look.incremental() && !together ? look : Look.NOTHING;
    }

    /** True if contributions of one host are added up before they leave it. */
    public boolean combined() {
        return fanIn > 0;
    }

    /** True if sums of hosts are added up before they reach the server. */
    public boolean tree() {
        return combined() && fanIn < ALL;
    }

    /**
     * True if shards add up this many rows as they arrive: the rule does not look at rows, and
     * there are many.
     */
    public boolean sums(Rule rule, int rows) {
        return rule.averages()
                && inStep()
                && (masking.rates().isPresent()
                        || !masking.hides() && (combined() || rows > rowsHeld));
    }

    /** True if each row is an unmasked contribution to its round's model. */
    public boolean plain() {
        return inStep() && !masking.hides();
    }

    /** The encoding of a contribution's values, as in {@link Header}. */
    public int encoding() {
        return masking.hides() ? Header.MASKED : Header.FLOAT32;
    }

    /** Number of complete contributions that close a round with n participants, at most n. */
    public int quorum(int n) {
        return Math.min(quorum.fewestOf(n), n);
    }

    /**
     * Most rows of a round with n participants, whatever its quorum: contributions that arrive
     * before the round may close are rows, too.
     */
    public int fullest(int n) {
        return Math.min(n, most);
    }

    /**
     * Number of complete contributions with which a round closes once its time is over.
     *
     * @param needed number that the rule needs
     * @param quorum number that closes the round at any time
     */
    public int enough(int needed, int quorum) {
        return Math.max(needed, Math.min(least, quorum));
    }

    private static boolean aboveZero(Duration duration) {
        return duration == null || !duration.isNegative() && !duration.isZero();
    }
}
