package dev.levee.operators.rounds;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;
import dev.levee.operators.rounds.optimizer.Optimizer;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The parameter shard of one block: holds the block, its optimizer state and the rows of the open
 * round. It is the window of a round, the coordinator is its trigger. Single-threaded; knows no
 * engine.
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
    }

    private final long run;
    private final int block;
    private final int length;
    private final int trainable;
    private final long offset;
    private final long dimension;
    private final Training training;
    private final Look look;
    private final Optimizer optimizer;
    private final Output output;
    private final LongSupplier micros;

    private long version;
    private Settings settings;
    private float[] values;
    private float[][] moments;
    private float[] previous;
    private float[][] rows;
    private boolean[] refused;
    private int phase;
    private int[] lastRows;
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
            int block,
            ShardState state,
            Output output,
            LongSupplier micros) {
        this.run = run;
        this.block = block;
        this.length = slices.length(block);
        this.trainable = slices.trainable(block);
        this.offset = slices.offset(block);
        this.dimension = slices.trainable();
        this.training = training;
        this.look = training.rule().look();
        this.optimizer = optimizer(training);
        this.output = output;
        this.micros = micros;
        this.version = state.version();
        this.settings = state.settings();
        this.values = state.values();
        this.moments = state.moments();
        this.previous = state.previous();
        this.rows = state.rows().clone();
        this.refused = state.refused().clone();
        this.phase = state.phase();
        this.lastRows = state.lastRows();
    }

    /** The state a block starts with. */
    public static ShardState initial(Training training, float[] values) {
        return ShardState.initial(
                Settings.of(training, 0),
                values,
                optimizer(training).moments(),
                training.workers());
    }

    private static Optimizer optimizer(Training training) {
        boolean server = training.momentumSide() == Training.MomentumSide.SERVER;
        return Optimizer.of(training.optimizer(), server ? training.momentum() : 0);
    }

    /** What has to be remembered now. */
    public ShardState snapshot() {
        return new ShardState(
                version,
                settings,
                values,
                moments,
                previous,
                rows.clone(),
                refused.clone(),
                phase,
                lastRows);
    }

    /** Offers the model again: after every start, since the loop edge forgets. */
    public void restart() {
        output.model(new ModelBlock(Header.model(run, version, block), settings, values));
    }

    /** Says nothing more of gradients of rounds before that one: others have counted them. */
    public void ignoreBefore(long round) {
        oldest = round;
    }

    /** Takes a gradient block, or says why not. */
    public void gradient(GradientBlock gradient) {
        Header header = gradient.header();
        if (header.round() < oldest) {
            return;
        }
        Rejection rejection = reject(gradient);
        if (rejection == null) {
            accept(header.sender(), gradient);
            return;
        }
        if (rejection == Rejection.LATE) {
            output.late(gradient);
        }
        output.report(new ShardReport.Dropped(header.round(), block, header.sender(), rejection));
    }

    private Rejection reject(GradientBlock gradient) {
        Header header = gradient.header();
        int worker = header.sender();
        if (worker < 0 || worker >= settings.workers()) {
            return Rejection.UNKNOWN_WORKER;
        }
        if (header.run() != run || header.round() > version) {
            return Rejection.STALE;
        }
        if (header.round() < version) {
            boolean counted =
                    header.round() == version - 1 && Arrays.binarySearch(lastRows, worker) >= 0;
            if (counted) {
                return Rejection.DUPLICATE;
            }
            return header.round() >= version - MEMORY ? Rejection.LATE : Rejection.STALE;
        }
        if (rows[worker] != null || refused[worker]) {
            return Rejection.DUPLICATE;
        }
        if (header.block() != block || gradient.values().length != length) {
            refused[worker] = true;
            return Rejection.WRONG_SIZE;
        }
        if (training.nonFinite() == Training.NonFinite.REJECT
                && !BlockKernels.finite(gradient.values())) {
            refused[worker] = true;
            return Rejection.NON_FINITE;
        }
        return null;
    }

    private void accept(int worker, GradientBlock gradient) {
        long arrivedAt = micros.getAsLong();
        float[] row = gradient.values();
        double[] measured =
                look.nothing() || !look.incremental()
                        ? new double[0]
                        : BlockKernels.measure(look, row, rows, previous, span(), trainable);
        rows[worker] = row;
        output.report(
                new ShardReport.Arrived(
                        version,
                        block,
                        worker,
                        measured,
                        gradient.loss(),
                        gradient.modelAt(),
                        gradient.computedAt(),
                        arrivedAt));
    }

    /** Follows the coordinator; an instruction that was followed before is ignored. */
    public void instruction(Instruction instruction) {
        if (instruction.round() != version || settings.stop()) {
            return;
        }
        if (instruction instanceof Instruction.LookAgain again) {
            look(again);
        } else if (instruction instanceof Instruction.Decide decide) {
            apply(decide);
        }
    }

    private void look(Instruction.LookAgain again) {
        if (again.phase() <= phase) {
            return;
        }
        phase = again.phase();
        output.report(
                new ShardReport.Seen(
                        version,
                        block,
                        phase,
                        BlockKernels.look(
                                again.look(),
                                again.map(),
                                select(again.rows()),
                                previous,
                                span(),
                                trainable)));
    }

    private Span span() {
        return new Span(offset, dimension, training.seed(), version);
    }

    private void apply(Instruction.Decide decide) {
        long start = System.nanoTime();
        float[][] selected = select(decide.rows());
        float[] aggregate = new float[length];
        BlockKernels.reduce(
                decide.map(),
                decide.reduction(),
                selected,
                previous,
                decide.references(),
                0,
                trainable,
                aggregate);
        reduceBuffers(selected, decide.reduction(), aggregate);
        long reduced = System.nanoTime();
        float[] next = new float[length];
        float[][] nextMoments = new float[moments.length][length];
        optimizer.step(
                values,
                aggregate,
                moments,
                trainable,
                version,
                settings.learningRate(),
                next,
                nextMoments);
        System.arraycopy(aggregate, trainable, next, trainable, length - trainable);
        values = next;
        moments = nextMoments;
        previous = training.rule().needsPrevious() ? aggregate : null;
        lastRows = decide.rows();
        phase = 0;
        version++;
        settings = decide.next();
        rows = new float[settings.workers()][];
        refused = new boolean[settings.workers()];
        restart();
        output.report(
                new ShardReport.Applied(
                        version - 1, block, reduced - start, System.nanoTime() - reduced));
    }

    /**
     * Buffers are replaced by a reduction over the round's rows: their mean where the rule itself
     * is a plain mean of all rows, else their median, since a selection made on gradients says
     * nothing about a buffer.
     */
    private void reduceBuffers(float[][] selected, Reduction reduction, float[] aggregate) {
        if (trainable == length) {
            return;
        }
        boolean plain = training.rule().minimumRows(1) == 1;
        BlockKernels.reduce(
                RowMap.identity(selected.length, selected.length),
                plain ? reduction : new Reduction.Median(false),
                selected,
                null,
                List.of(),
                trainable,
                length,
                aggregate);
    }

    private float[][] select(int[] workers) {
        float[][] selected = new float[workers.length][];
        for (int i = 0; i < workers.length; i++) {
            selected[i] = rows[workers[i]];
        }
        return selected;
    }
}
