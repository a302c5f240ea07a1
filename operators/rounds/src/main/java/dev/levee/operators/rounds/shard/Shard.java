package dev.levee.operators.rounds.shard;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.BlockRows;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.Span;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.FixedPoint;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.plan.NoiseScale;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One block of one server: its parameters, and the window of rows of the open round, whose trigger
 * is the server's coordinator. Judges what comes and follows instructions. Single-threaded; knows
 * no engine.
 */
public final class Shard {
    /** Rounds back for which a gradient counts as late rather than stale. */
    public static final int MEMORY = 16;

    /** Where a shard's output goes. */
    public interface Output {
        /** Publishes a block of the model over the loop edge. */
        void model(ModelBlock block);

        /** Tells the coordinator. */
        void report(ShardReport report);

        /** A gradient that came too late. */
        void late(GradientBlock gradient);

        /** A row of the open round is accepted, for who scores it; repeated by a restart. */
        default void accepted(GradientBlock row) {}
    }

    private final Training training;
    private final long run;
    private final ShardId id;
    private final int length;
    private final int trainable;
    private final long offset;
    private final long dimension;
    private final Optimizer optimizer;
    private final Output output;
    private final LongSupplier micros;

    private long version;
    private Settings settings;
    private ParameterBlock block;
    private RowWindow window;
    private int phase;
    private Counted counted;
    private final PulledVersions pulled;
    private long oldest = Long.MIN_VALUE;

    /**
     * A shard that goes on from a state.
     *
     * @param micros microseconds since the epoch
     */
    public Shard(
            Training training,
            long run,
            Slices slices,
            ShardId id,
            ShardState state,
            Output output,
            LongSupplier micros) {
        this.training = training;
        this.run = run;
        this.id = id;
        this.length = slices.length(id.block());
        this.trainable = slices.trainable(id.block());
        this.offset = slices.offset(id.block());
        this.dimension = slices.trainable();
        this.optimizer = training.step().optimizer();
        this.output = output;
        this.micros = micros;
        this.version = state.version();
        this.settings = state.settings();
        this.block = state.block();
        this.window = new RowWindow(settings, state.window());
        this.phase = state.phase();
        this.counted = state.counted();
        this.pulled = new PulledVersions(state.pulled());
    }

    /** The state a block starts with. */
    public static ShardState initial(Training training, int server, float[] values) {
        return ShardState.opening(
                training,
                server,
                0,
                training.settings(server, 0),
                ParameterBlock.initial(values, training.step().optimizer()));
    }

    /** What has to be remembered now. */
    public ShardState snapshot() {
        return new ShardState(
                version, settings, block, window.snapshot(), phase, counted, pulled.snapshot());
    }

    /** The block as it is now. */
    public ParameterBlock block() {
        return block;
    }

    /**
     * Offers the model, those before it that somebody has pulled and not answered, and the rows
     * that are there to who scores them: again after every start, since neither the loop edge nor
     * computations nor an oracle remember.
     */
    public void offer() {
        for (PulledVersions.Pulled each : pulled.snapshot()) {
            if (each.version() < version) {
                output.model(
                        new ModelBlock(
                                Header.model(run, each.version(), id),
                                each.settings(),
                                each.values()));
            }
        }
        open();
    }

    private void open() {
        output.model(new ModelBlock(Header.model(run, version, id), settings, offered()));
        if (!training.rule().needsScores()) {
            return;
        }
        for (int place = 0; place < settings.workers(); place++) {
            GradientBlock row = window.contribution(place);
            if (row != null) {
                output.accepted(row);
            }
        }
    }

    /**
     * Says that the version was found where it is published, and not made by this shard: gradients
     * of rounds before have been counted by others, and its coordinator may know more of them than
     * this shard has.
     */
    public void adopted() {
        oldest = version;
        output.report(new ShardReport.Adopted(version, id));
    }

    /** Takes a gradient block, or says why not. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        if (header.round() < oldest) {
            return;
        }
        if (header.run() == run) {
            pulled.answered(header.sender(), header.baseVersion());
        }
        if (header.round() > version && training.opensBeforeLong(version, header.round())) {
            hold(gradient);
            return;
        }
        Rejection rejection = reject(gradient);
        if (rejection == null) {
            take(settings.cohort().place(header.sender()), gradient);
            return;
        }
        if (rejection == Rejection.LATE) {
            output.late(gradient);
        }
        // A proof counts in the round that is open, whichever model its sender was asked to answer.
        long round = rejection.proof() ? version : header.round();
        output.report(new ShardReport.Dropped(round, id, header.sender(), rejection));
    }

    private Rejection reject(GradientBlock gradient) {
        Header header = gradient.header();
        int worker = header.sender();
        if (worker < 0 || worker >= training.ids()) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (header.run() != run || header.round() > version) {
            return Rejection.STALE;
        }
        if (counted.has(worker, header.round())) {
            return Rejection.DUPLICATE;
        }
        if (over(header)) {
            return header.round() >= version - MEMORY ? Rejection.LATE : Rejection.STALE;
        }
        int place = settings.cohort().place(worker);
        if (place < 0) {
            return Rejection.NOT_ASKED;
        }
        return window.answered(place, header.round())
                ? Rejection.DUPLICATE
                : prove(gradient, place);
    }

    /**
     * True if a contribution answers a version that no row of the open round may answer any more.
     */
    private boolean over(Header header) {
        return header.round() < training.admission().oldest(version)
                || header.round() <= counted.newest(header.sender());
    }

    /** Keeps a contribution to a round that others have opened already. */
    private void hold(GradientBlock early) {
        Header header = early.header();
        boolean known = header.sender() >= 0 && header.sender() < training.ids();
        if (header.run() != run || !known || !window.hold(early, training.mostAhead())) {
            Rejection rejection =
                    !known
                            ? Rejection.UNKNOWN_WORKER
                            : header.run() != run ? Rejection.STALE : Rejection.DUPLICATE;
            output.report(new ShardReport.Dropped(header.round(), id, header.sender(), rejection));
        }
    }

    /** What only a faulty worker sends. */
    private Rejection prove(GradientBlock gradient, int place) {
        Header header = gradient.header();
        Rejection fault = null;
        if (!gradient.shard().equals(id)
                || gradient.length() != length
                || header.phase() != 0
                || header.baseVersion() != answers(header.round(), place)
                || header.encoding() != encoding()
                || !(gradient.weight() > 0 && gradient.weight() < Double.POSITIVE_INFINITY)) {
            fault = Rejection.WRONG_SIZE;
        } else if (!training.admission().masked()
                && training.admission().nonFinite() == Admission.NonFinite.REJECT
                && !BlockKernels.finite(gradient.array(), gradient.from(), length)) {
            fault = Rejection.NON_FINITE;
        }
        if (fault != null) {
            window.refuse(place);
        }
        return fault;
    }

    private int encoding() {
        return training.admission().masked() ? Header.MASKED : Header.FLOAT32;
    }

    /** The version that a contribution to a round answers. */
    private long answers(long round, int place) {
        return round == version ? settings.base(version, place) : round;
    }

    private void take(int place, GradientBlock gradient) {
        long arrivedAt = micros.getAsLong();
        Look look = training.admission().measured(rule().look());
        double[] measured = window.measure(look, gradient, reference(), span(), trainable);
        window.put(place, gradient);
        if (training.rule().needsScores()) {
            output.accepted(gradient);
        }
        output.report(
                new ShardReport.Arrived(
                        version,
                        id,
                        gradient.header().sender(),
                        gradient.header().round(),
                        gradient.weight(),
                        measured,
                        gradient.loss(),
                        gradient.modelAt(),
                        gradient.computedAt(),
                        arrivedAt));
    }

    /**
     * Keeps what the round before has left for the one that opens now, and drops what counts no
     * more. Where only contributions to the open round's model count, that is all, and the
     * coordinator has counted it as late when it closed the round.
     */
    private void keep(List<GradientBlock> all) {
        for (GradientBlock each : all) {
            Header header = each.header();
            int place = settings.cohort().place(header.sender());
            if (counted.has(header.sender(), header.round())) {
                continue;
            }
            if (place >= 0 && !over(header)) {
                window.put(place, each);
            } else {
                output.late(each);
                output.report(
                        new ShardReport.Dropped(
                                header.round(), id, header.sender(), Rejection.LATE));
            }
        }
    }

    /** Follows the coordinator; an instruction that was followed before is ignored. */
    public void instruction(Instruction instruction) {
        if (instruction.round() != version || settings.stop()) {
            return;
        }
        if (instruction instanceof Instruction.Admit admit) {
            window.sum(admit.places());
        } else if (instruction instanceof Instruction.LookAgain again) {
            look(again);
        } else if (instruction instanceof Instruction.Decide decide) {
            apply(decide, () -> reduce(decide));
        } else if (instruction instanceof Instruction.Average average) {
            apply(average, () -> window.mean(average.rows()));
        }
    }

    private void look(Instruction.LookAgain again) {
        if (again.phase() > phase) {
            phase = again.phase();
            output.report(
                    new ShardReport.Seen(
                            version,
                            id,
                            phase,
                            window.look(again, reference(), span(), trainable)));
        }
    }

    private Span span() {
        return new Span(offset, dimension, training.seed(), training.drawing(version));
    }

    private void apply(Instruction.Close close, Supplier<float[]> aggregation) {
        long start = System.nanoTime();
        float[] aggregate = aggregation.get();
        long reduced = System.nanoTime();
        float[] reference = reference();
        block = lost(close) ? block : after(aggregate, close.bases());
        // One version at least: what was counted last is a duplicate when it comes again.
        long oldest = Math.min(version, training.admission().oldest(version + 1));
        counted = counted.and(close.rows(), close.bases(), oldest);
        List<GradientBlock> all = training.admission().inStep() ? List.of() : window.all();
        List<GradientBlock> early = window.held(version);
        Span span = span();
        Supplier<Looked> spread = spread(close, reference, span);
        phase = 0;
        version++;
        settings = close.next();
        window =
                new RowWindow(
                        settings,
                        RowWindow.State.empty(training, id.server(), version, settings, length));
        pulled.opened(training.oracle(), version, settings, block.values());
        open();
        keep(all);
        early.forEach(this::gradient);
        long updated = System.nanoTime();
        output.report(
                new ShardReport.Applied(
                        version - 1, id, reduced - start, updated - reduced, spread.get()));
    }

    /** True if what is under masks cannot be told, for some of it is missing. */
    private boolean lost(Instruction.Close close) {
        return training.admission().masked() && close.rows().length < settings.workers();
    }

    /** What somebody wants to know about the rows of a round that ends, null if nothing. */
    private Look interest() {
        if (training.measuresExchange(version)) {
            return ExchangeReport.LOOK;
        }
        return training.plan().measuresNoise() && training.moment(version).ofWorkers()
                ? NoiseScale.LOOK
                : null;
    }

    /**
     * How far the rows of a round that ends are apart, if somebody wants to know; of a lone
     * worker's what it says of its halves. Looked at when the next model is out, while others use
     * it.
     */
    private Supplier<Looked> spread(Instruction.Close close, float[] reference, Span span) {
        Look look = interest();
        if (look == null || !(close instanceof Instruction.Decide decide)) {
            return () -> null;
        }
        if (training.moment(version).ofWorkers() && decide.rows().length == 1) {
            HalfBatches halves = window.halves(decide);
            return () -> halves == null ? null : halves.looked();
        }
        BlockRows rows = window.rows(decide);
        return () ->
                BlockKernels.look(
                        look,
                        RowMap.identity(rows.count(), rows.count()),
                        rows,
                        reference,
                        span,
                        trainable);
    }

    /** The block after the round that ends: what it is depends on what the round was about. */
    private ParameterBlock after(float[] aggregate, long[] bases) {
        Moment moment = training.moment(version);
        if (moment.stage() == Moment.Stage.MODELS) {
            return block.with(aggregate);
        }
        if (training.moment(version + 1).stage() == Moment.Stage.AGGREGATES) {
            return block.holding(aggregate);
        }
        return block.step(
                optimizer,
                aggregate,
                trainable,
                moment.iteration(),
                training.plan().stepSize(settings, version, bases),
                !training.topology().local() && training.rule().needsPrevious());
    }

    private Rule rule() {
        return training.rule(id.server(), version);
    }

    /** What the round's rule calls the previous aggregate: between servers, what is their own. */
    private float[] reference() {
        return training.moment(version).stage() == Moment.Stage.MODELS
                ? block.values()
                : block.previous();
    }

    /** What this shard tells of itself: its model, or the aggregate that is being contracted. */
    private float[] offered() {
        return training.moment(version).stage() == Moment.Stage.AGGREGATES
                ? block.previous()
                : block.values();
    }

    private float[] reduce(Instruction.Decide decide) {
        BlockRows rows = window.rows(decide);
        if (training.admission().masked()) {
            return FixedPoint.sum(rows, length);
        }
        float[] aggregate = new float[length];
        BlockKernels.reduce(
                decide.map(),
                decide.reduction(),
                rows,
                reference(),
                decide.references(),
                0,
                trainable,
                aggregate);
        if (trainable < length) {
            reduceBuffers(rows, decide, aggregate);
        }
        return aggregate;
    }

    /**
     * Buffers are replaced by a reduction over the round's rows: as the parameters are where the
     * rule is a plain mean of all rows, else by their median, since a selection made on gradients
     * says nothing about a buffer.
     */
    private void reduceBuffers(BlockRows rows, Instruction.Decide decide, float[] aggregate) {
        boolean plain = rule().minimumRows(1) == 1;
        BlockKernels.reduce(
                rule().averages() ? decide.map() : RowMap.identity(rows.count(), rows.count()),
                plain ? decide.reduction() : new Reduction.Median(false),
                rows,
                null,
                List.of(),
                trainable,
                length,
                aggregate);
    }
}
