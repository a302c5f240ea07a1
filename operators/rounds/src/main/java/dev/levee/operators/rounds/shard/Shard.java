package dev.levee.operators.rounds.shard;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.ReplicaBound.Due;
import dev.levee.operators.rounds.vector.Slices;

import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One block of one server: its parameters, and the open round's window of rows. The server's
 * coordinator is the trigger of the window. The shard checks contributions and follows
 * instructions. Single-threaded; knows no engine.
 */
public final class Shard {
    /** Number of past rounds for which a gradient counts as late rather than stale. */
    public static final int MEMORY = 16;

    /** Receives a shard's output. */
    public interface Output {
        /** Publishes a block of the model over the loop edge. */
        void model(ModelBlock block);

        /** The array in which this process assembles a version of the model; null if none. */
        default float[] whole(ShardId shard, long version) {
            return null;
        }

        /** Sends a report to the coordinator. */
        void report(ShardReport report);

        /** Reports a gradient that arrived too late. */
        void late(GradientBlock gradient);

        /** Sends an update to the replica, which publishes the block and reports it afterward. */
        default void replicate(ReplicaUpdate update) {
            throw new UnsupportedOperationException("there is no replica");
        }

        /** Passes an accepted row of the open round to the oracle; a restart repeats it. */
        default void accepted(GradientBlock row) {}
    }

    private final Training training;
    private final long run;
    private final ShardId id;
    private final Output output;
    private final LongSupplier micros;

    /** Null without a replica. */
    private final Replication replication;

    private OpenBlock open;

    private ParameterBlock.Own own = ParameterBlock.Own.NOTHING;

    private RowWindow window;
    private int phase;
    private CountedContributions counted;
    private final PulledVersions pulled;
    private long oldest = Long.MIN_VALUE;

    /**
     * Creates a shard that continues from a state.
     *
     * @param micros clock, microseconds since the epoch
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
        this.output = output;
        this.micros = micros;
        this.replication = Replication.of(training, slices, id.block());
        this.open = OpenBlock.of(training, slices, id, state);
        this.window = new RowWindow(state.settings(), state.window());
        this.phase = state.phase();
        this.counted = state.counted();
        this.pulled = new PulledVersions(state.pulled());
    }

    /** The initial state of a block. */
    public static ShardState initial(Training training, int server, float[] values) {
        return ShardState.opening(
                training,
                server,
                0,
                training.settings(server, 0),
                ParameterBlock.initial(values, training.step().optimizer()));
    }

    /** The state to checkpoint now. */
    public ShardState snapshot() {
        own = ParameterBlock.Own.NOTHING;
        return open.state(window.snapshot(), phase, counted, pulled.snapshot());
    }

    /** The current block; immutable. */
    public ParameterBlock block() {
        own = ParameterBlock.Own.NOTHING;
        return open.block();
    }

    /**
     * Offers the model, earlier models that participants have pulled and not answered, and the rows
     * that still need scores. Repeated after every start, because the loop edge, computations and
     * the oracle have no state.
     */
    public void offer() {
        for (PulledVersions.Pulled each : pulled.snapshot()) {
            if (each.version() < open.version()) {
                output.model(
                        new ModelBlock(
                                Header.model(run, each.version(), id),
                                each.settings(),
                                each.values()));
            }
        }
        publish();
    }

    private void publish() {
        boolean read = training.moment(open.version()).ofWorkers();
        float[] whole = read ? output.whole(id, open.version()) : null;
        ModelBlock offered = open.published(run, whole);
        if (whole == null || offered.pulled()) {
            own = own.withoutValues();
        }
        output.model(offered);
        if (training.rule().needsScores()) {
            window.kept().forEach(output::accepted);
        }
    }

    /**
     * Reports that another process published the version. Gradients of earlier rounds were counted
     * there, so this shard may know less about them than the coordinator.
     */
    public void adopted() {
        oldest = open.version();
        output.report(new ShardReport.Adopted(open.version(), id));
    }

    /** Accepts a gradient block, or reports why it is refused. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        if (header.round() < oldest) {
            return;
        }
        if (gradient.partial() != null) {
            combined(gradient);
            return;
        }
        if (header.run() == run) {
            pulled.answered(header.sender(), header.baseVersion());
        }
        if (header.round() > open.version()
                && training.opensBeforeLong(open.version(), header.round())) {
            hold(gradient);
            return;
        }
        Rejection rejection = reject(gradient);
        if (rejection == null) {
            take(open.settings().cohort().place(header.sender()), gradient);
            return;
        }
        if (rejection == Rejection.LATE) {
            output.late(gradient);
        }
        // A proven fault counts in the open round, whichever model its sender answered.
        long round = rejection.proof() ? open.version() : header.round();
        output.report(new ShardReport.Dropped(round, id, header.sender(), rejection));
    }

    /**
     * Accepts a partial sum, or reports why it is refused. A sum cannot be split, so a reason to
     * reject one member rejects all.
     */
    private void combined(GradientBlock gradient) {
        List<GradientBlock> members = gradient.partial().members();
        Rejection rejection =
                members.stream()
                        .map(member -> refusal(member.header()))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        if (rejection != null) {
            members.stream()
                    .map(GradientBlock::header)
                    .map(at -> new ShardReport.Dropped(at.round(), id, at.sender(), rejection))
                    .forEach(output::report);
            return;
        }
        long arrivedAt = micros.getAsLong();
        window.put(gradient.partial());
        output.report(
                new ShardReport.Combined(
                        members.stream()
                                .map(member -> arrived(member, new double[0], arrivedAt))
                                .toList(),
                        gradient.computedAt()));
    }

    private Rejection reject(GradientBlock gradient) {
        Rejection refusal = refusal(gradient.header());
        if (refusal != null) {
            return refusal;
        }
        int place = open.settings().cohort().place(gradient.header().sender());
        Rejection fault = open.fault(gradient, place);
        if (fault != null) {
            window.refuse(place);
        }
        return fault;
    }

    /** The reason to refuse a contribution of this sender to this version, null if it may count. */
    private Rejection refusal(Header header) {
        int worker = header.sender();
        if (worker < 0 || worker >= training.ids()) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (header.run() != run || header.round() > open.version()) {
            return Rejection.STALE;
        }
        if (counted.has(worker, header.round())) {
            return Rejection.DUPLICATE;
        }
        if (over(header)) {
            return header.round() >= open.version() - MEMORY ? Rejection.LATE : Rejection.STALE;
        }
        int place = open.settings().cohort().place(worker);
        if (place < 0) {
            return Rejection.NOT_ASKED;
        }
        return window.answered(place, header.round()) ? Rejection.DUPLICATE : null;
    }

    /** True if this version is too old for rows of the open round. */
    private boolean over(Header header) {
        return header.round() < training.admission().oldest(open.version())
                || header.round() <= counted.newest(header.sender());
    }

    /** Keeps a contribution to a round that other shards have already opened. */
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

    private void take(int place, GradientBlock gradient) {
        long arrivedAt = micros.getAsLong();
        Look look = open.measured();
        double[] measured =
                window.measure(look, gradient, open.reference(), open.span(), open.trainable());
        window.put(place, gradient);
        if (training.rule().needsScores()) {
            output.accepted(gradient);
        }
        output.report(arrived(gradient, measured, arrivedAt));
    }

    private ShardReport.Arrived arrived(GradientBlock gradient, double[] measured, long arrivedAt) {
        return new ShardReport.Arrived(
                open.version(),
                id,
                gradient.header().sender(),
                gradient.header().round(),
                gradient.weight(),
                measured,
                gradient.loss(),
                gradient.modelAt(),
                gradient.computedAt(),
                arrivedAt);
    }

    /**
     * Keeps the previous round's unused contributions for the round that opens now, and drops stale
     * ones. If only contributions to the open round's model count, it keeps none; the coordinator
     * counted them as late when it closed the round.
     */
    private void keep(List<GradientBlock> all) {
        for (GradientBlock each : all) {
            Header header = each.header();
            int place = open.settings().cohort().place(header.sender());
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

    /** Follows an instruction of the coordinator; ignores repeated ones. */
    public void instruction(Instruction instruction) {
        if (instruction.round() != open.version() || open.settings().stop()) {
            return;
        }
        if (instruction instanceof Instruction.Admit admit) {
            window.sum(admit.places());
        } else if (instruction instanceof Instruction.LookAgain again) {
            look(again);
        } else if (instruction instanceof Instruction.Decide decide) {
            apply(decide, () -> open.reduce(decide, window));
        } else if (instruction instanceof Instruction.Average average) {
            apply(average, () -> open.mean(average, window));
        }
    }

    private void look(Instruction.LookAgain again) {
        if (again.phase() > phase) {
            phase = again.phase();
            output.report(
                    new ShardReport.Seen(
                            open.version(),
                            id,
                            phase,
                            window.look(again, open.reference(), open.span(), open.trainable())));
        }
    }

    private void apply(Instruction.Close close, Supplier<float[]> aggregation) {
        long start = System.nanoTime();
        float[] aggregate = aggregation.get();
        long reduced = System.nanoTime();
        long version = open.version();
        // Covers at least one version, so that repeated contributions are recognized.
        long oldest = Math.min(version, training.admission().oldest(version + 1));
        counted = counted.and(close.rows(), close.bases(), oldest);
        List<GradientBlock> all = training.admission().inStep() ? List.of() : window.left(close);
        List<GradientBlock> early = window.held(version);
        Supplier<LookResult> spread = open.spread(close, window);
        Due due =
                replication == null || close.next().stop()
                        ? Due.NOTHING
                        : replication.applying(aggregate, open.trainable());
        phase = 0;
        ParameterBlock before = open.block();
        open = open.after(close, aggregate, own);
        own = own.after(before, open.block());
        RowWindow closed = window;
        window =
                new RowWindow(
                        open.settings(),
                        RowWindow.State.empty(
                                training,
                                id.server(),
                                open.version(),
                                open.settings(),
                                open.block().values().length));
        pulled.opened(training.oracle(), open.version(), open.settings(), open.block().values());
        if (due == Due.NOTHING) {
            publish();
        }
        keep(all);
        early.forEach(this::gradient);
        long updated = System.nanoTime() - reduced;
        ShardReport.Applied applied =
                new ShardReport.Applied(
                        version, id, reduced - start, updated, spread.get(), open.digest());
        closed.done(close);
        if (due == Due.NOTHING) {
            output.report(applied);
        } else {
            ModelBlock said = open.modelOf(run, due == Due.STATE ? open.offered() : aggregate);
            float[][] beside = due == Due.STATE ? block().moments() : null;
            output.replicate(new ReplicaUpdate(said, beside, applied, -1));
        }
    }
}
