package dev.levee.operators.rounds.shard;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Span;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.plan.NoiseScale;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.FixedPoint;
import dev.levee.operators.rounds.vector.ModelDigest;
import dev.levee.operators.rounds.vector.Slices;

import java.util.List;
import java.util.function.Supplier;

/**
 * One block of a server's model while a round is open. It has the vector that the shard offers and
 * the previous aggregate, applies the round's rows, and decides which contributions are refused.
 * Immutable.
 *
 * @param version the version of the model, which is also the number of the round
 * @param settings the settings of the round
 */
record OpenBlock(
        Training training,
        Slices slices,
        ShardId id,
        long version,
        Settings settings,
        ParameterBlock block) {
    /**
     * An array for aggregates that are not needed after the step. All blocks of a thread use it, so
     * it stays in the cache.
     */
    private static final ThreadLocal<float[]> PASSING = ThreadLocal.withInitial(() -> new float[0]);

    /**
     * The block of a state. Before the first step, states that earlier versions of Levee wrote have
     * moments of zeros, so they do not count.
     */
    static OpenBlock of(Training training, Slices slices, ShardId id, ShardState state) {
        ParameterBlock block =
                state.version() > 0
                        ? state.block()
                        : ParameterBlock.initial(
                                state.block().values(), training.step().optimizer());
        return new OpenBlock(training, slices, id, state.version(), state.settings(), block);
    }

    /** The state of its shard. */
    ShardState state(
            RowWindow.State window,
            int phase,
            CountedContributions counted,
            List<PulledVersions.Pulled> pulled) {
        return new ShardState(version, settings, block, window, phase, counted, pulled);
    }

    /** Number of coordinates that are stepped; buffers follow them. */
    int trainable() {
        return slices.trainable(id.block());
    }

    /** The block's place in the vector, and the seed for a look's random choices. */
    Span span() {
        return new Span(
                slices.offset(id.block()),
                slices.trainable(),
                training.seed(),
                training.drawing(version));
    }

    /** The look at the rows when a round ends, null if none is needed. */
    private Look interest() {
        if (training.measuresExchange(version)) {
            return ExchangeReport.LOOK;
        }
        if (!training.moment(version).ofWorkers()) {
            return null;
        }
        if (training.plan().measuresNoise()) {
            return NoiseScale.LOOK;
        }
        // The coordinator knows distances that were measured as rows arrived. Distances of masked
        // rows are random.
        boolean known = RoundTrace.sees(measured());
        boolean asked = training.audited() && !training.admission().masking().hides();
        return asked && !known ? Look.DISTANCES : null;
    }

    /** The look that is measured while the rows of the open round arrive. */
    Look measured() {
        return training.admission().measured(rule().look(), settings.workers(), slices.count());
    }

    /**
     * Distances between the rows when a round ends, if needed; with one worker, distances of its
     * halves. They are computed after the next model is sent, while participants use that model.
     */
    Supplier<LookResult> spread(Instruction.Close close, RowWindow window) {
        Look look = interest();
        if (look == null || !(close instanceof Instruction.Decide decide)) {
            return () -> null;
        }
        if (look.equals(NoiseScale.LOOK) && decide.rows().length == 1) {
            HalfBatches halves = window.halves(decide);
            return () -> halves == null ? null : halves.looked();
        }
        BlockRows rows = window.rows(decide);
        return () ->
                BlockKernels.look(
                        look,
                        RowMap.identity(rows.count(), rows.count()),
                        rows,
                        reference(),
                        span(),
                        trainable());
    }

    /** SHA-256 of the block's values for the log of rounds; empty without a log. */
    byte[] digest() {
        return training.audited() ? ModelDigest.ofBlock(block.values()) : new byte[0];
    }

    /**
     * The block in the next round.
     *
     * @param own tells which arrays of this block are not shared
     */
    OpenBlock after(Instruction.Close close, float[] aggregate, ParameterBlock.Own own) {
        boolean changes =
                training.admission().masking().changes(close.rows().length, settings.workers());
        ParameterBlock next = changes ? stepped(aggregate, close.bases(), own) : block;
        return new OpenBlock(training, slices, id, version + 1, close.next(), next);
    }

    /** The block after a round, which depends on the round's stage. */
    private ParameterBlock stepped(float[] aggregate, long[] bases, ParameterBlock.Own own) {
        Moment moment = training.moment(version);
        if (moment.stage() == Moment.Stage.MODELS) {
            return block.with(aggregate);
        }
        if (contracts()) {
            return block.holding(aggregate);
        }
        return block.step(
                training.step().optimizer(),
                aggregate,
                trainable(),
                moment.iteration(),
                training.plan().stepSize(settings, version, bases),
                keeps(),
                own);
    }

    private boolean contracts() {
        return training.moment(version + 1).stage() == Moment.Stage.AGGREGATES;
    }

    /** True if the next round's rule needs the aggregate. */
    private boolean keeps() {
        return training.workersRule().needsPrevious();
    }

    /** True if only the step uses the aggregate. */
    private boolean passes() {
        return training.moment(version).stage() != Moment.Stage.MODELS
                && !contracts()
                && !keeps()
                && training.topology().standby() == null;
    }

    /**
     * The reason why a contribution proves that its worker is faulty, null if it does not.
     *
     * @param place the sender's place
     */
    Rejection fault(GradientBlock gradient, int place) {
        Header header = gradient.header();
        int length = block.values().length;
        if (!gradient.shard().equals(id)
                || gradient.length() != length
                || header.phase() != 0
                || header.baseVersion() != answered(header.round(), place)
                || header.encoding() != training.admission().encoding()
                || !(gradient.weight() > 0 && gradient.weight() < Double.POSITIVE_INFINITY)) {
            return Rejection.WRONG_SIZE;
        }
        return training.admission().admits(gradient.array(), gradient.from(), length)
                ? null
                : Rejection.NON_FINITE;
    }

    /** The version that a contribution to a round answers. */
    private long answered(long round, int place) {
        return round == version ? settings.base(version, place) : round;
    }

    /** The rule for the rows of the round. */
    Rule rule() {
        return training.rule(id.server(), version);
    }

    /** The previous aggregate for the round's rule; between servers, the server's own vector. */
    float[] reference() {
        return training.moment(version).stage() == Moment.Stage.MODELS
                ? block.values()
                : block.previous();
    }

    /** The vector that this shard offers: its model, or the aggregate that is being contracted. */
    float[] offered() {
        return training.moment(version).stage() == Moment.Stage.AGGREGATES
                ? block.previous()
                : block.values();
    }

    /**
     * A block of the model for participants, whose array may be that of the whole model.
     *
     * @param whole array of the whole model, null if there is none
     */
    ModelBlock published(long run, float[] whole) {
        float[] offered = offered();
        if (whole == null) {
            return modelOf(run, offered);
        }
        int at = slices.offset(id.block());
        System.arraycopy(offered, 0, whole, at, offered.length);
        return new ModelBlock(Header.model(run, version, id), settings, whole, at, offered.length);
    }

    /** A block of the model with these values. */
    ModelBlock modelOf(long run, float[] values) {
        return new ModelBlock(Header.model(run, version, id), settings, values);
    }

    /** The mean of rows that were added up, with remaining masks removed. */
    float[] mean(Instruction.Average about, RowWindow window) {
        return about.rows().length == 0
                ? new float[slices.length(id.block())]
                : window.mean(about.rows(), about.masks(), slices.offset(id.block()));
    }

    /**
     * Reduces the rows as the round's decision says.
     *
     * @return the aggregate, in an array that may be longer. If it is not needed after {@link
     *     #after}, the thread's next call overwrites the array
     */
    float[] reduce(Instruction.Decide decide, RowWindow window) {
        int length = slices.length(id.block());
        BlockRows rows = window.rows(decide);
        if (training.admission().masking().hides()) {
            return FixedPoint.sum(rows, length);
        }
        float[] aggregate = passes() ? passing(length) : new float[length];
        BlockKernels.reduce(
                decide.map(),
                decide.reduction(),
                rows,
                reference(),
                decide.references(),
                0,
                trainable(),
                aggregate);
        if (trainable() < length) {
            reduceBuffers(rows, decide, length, aggregate);
        }
        return aggregate;
    }

    private static float[] passing(int length) {
        float[] array = PASSING.get();
        if (array.length < length) {
            array = new float[length];
            PASSING.set(array);
        }
        return array;
    }

    /**
     * Replaces buffers by a reduction of the round's rows. The reduction is that of the parameters
     * if the rule allows it, else the median, because a selection by gradients says nothing about
     * buffers.
     */
    private void reduceBuffers(
            BlockRows rows, Instruction.Decide decide, int length, float[] aggregate) {
        boolean covered = rule().coversBuffers();
        boolean plain = covered || rule().minimumRows(1) == 1;
        BlockKernels.reduce(
                covered ? decide.map() : RowMap.identity(rows.count(), rows.count()),
                plain ? decide.reduction() : new Reduction.Median(false),
                rows,
                null,
                List.of(),
                trainable(),
                length,
                aggregate);
    }
}
