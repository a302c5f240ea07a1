package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.codec.Codec;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures bytes, memory and processor time of a round of any size, with the real coordinator and
 * some blocks of a real shard, without Flink. {@link RoundThreads} runs such rounds completely. The
 * other blocks are assumed to report the same as the measured ones. Times are processor times of
 * one thread, so other programs hardly affect them.
 */
public final class RoundSize implements Shard.Output, RoundOutput {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long RUN = 1;

    private final int workers;
    private final int shards;
    private final String rule;
    private final Slices slices;

    /** The number of measured blocks, and the number of blocks of the largest shard. */
    private final int measured;

    private final int share;

    private final Coordinator coordinator;
    private final Shard[] parts;
    private final float[][][] rows;
    private final List<ShardReport> reports = new ArrayList<>();
    private final Deque<Instruction> instructions = new ArrayDeque<>();

    private final long emptyHeap;
    private long shardHeap;
    private long openHeap;
    private long coordinatorHeap;

    /** Processor time of one round so far, in nanoseconds. */
    private long arriving;

    private long looking;
    private long closing;
    private long coordinating;
    private long reportBytes;
    private long instructionBytes;
    private long modelBytes;

    private RoundSize(int workers, int dimension, int shards, String rule, int wanted, int rounds) {
        this.workers = workers;
        this.shards = shards;
        this.rule = rule;
        Training training = training(workers, dimension, rule, rounds);
        slices = Slices.of(training.model().layout());
        share = (slices.count() + shards - 1) / shards;
        measured = Math.min(wanted, share);
        emptyHeap = used();
        coordinator =
                new Coordinator(
                        training,
                        RUN,
                        slices,
                        0,
                        CoordinatorState.initial(training, slices, 0),
                        false,
                        this,
                        new Coordinator.Clocks(
                                () -> System.nanoTime() / 1000, () -> System.nanoTime() / 1000));
        parts = new Shard[measured];
        rows = new float[measured][workers][];
        SplittableRandom random = new SplittableRandom(1);
        for (int block = 0; block < measured; block++) {
            parts[block] =
                    new Shard(
                            training,
                            RUN,
                            slices,
                            new ShardId(0, block),
                            Shard.initial(training, 0, new float[slices.length(block)]),
                            this,
                            () -> 0);
            for (int worker = 0; worker < workers; worker++) {
                rows[block][worker] = new float[slices.length(block)];
                for (int i = 0; i < rows[block][worker].length; i++) {
                    rows[block][worker][i] = (float) (random.nextDouble() - 0.5);
                }
            }
        }
    }

    /** Arguments: workers, dimension, shards, rule, most blocks to measure, and rounds. */
    public static void main(String[] arguments) {
        if (arguments.length != 6) {
            System.err.println(
                    "usage: RoundSize WORKERS DIMENSION SHARDS RULE BLOCKS ROUNDS, of which"
                            + " BLOCKS are measured at most, and the first half of ROUNDS does not"
                            + " count; memory: WORKERS * BLOCKS * 512 KiB");
            System.exit(2);
        }
        Machine.print();
        int rounds = Integer.parseInt(arguments[5]);
        new RoundSize(
                        Integer.parseInt(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Integer.parseInt(arguments[2]),
                        arguments[3],
                        Integer.parseInt(arguments[4]),
                        rounds)
                .run(rounds);
    }

    private void run(int rounds) {
        List<double[]> times = new ArrayList<>();
        coordinator.restart();
        for (int round = 0; round < rounds; round++) {
            arriving = looking = closing = coordinating = 0;
            reportBytes = instructionBytes = modelBytes = 0;
            round(round);
            if (round >= rounds / 2) {
                times.add(new double[] {arriving, looking, closing, coordinating});
            }
        }
        // Ratio of the coordinates in the largest shard to the measured ones.
        double scale = (double) coordinates(share) / coordinates(measured);
        double blocks = (double) slices.dimension() / coordinates(measured);
        double gradient = bytes(Codecs.GRADIENT, gradient(0, 0, 0)).length;
        System.out.printf(
                "MB (10^6 bytes) and processor milliseconds of a round; %d of %d blocks of a shard"
                        + " measured, %d rounds%n%n",
                measured, share, times.size());
        System.out.println(
                "| n | d | shards | rule | model | from workers | reports | instructions | a shard"
                        + " receives | heap of a shard | of the coordinator | arriving | look |"
                        + " reduce and step | coordinator |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        System.out.printf(
                Locale.ROOT,
                "| %d | %.3g | %d | %s | %.3f | %.2f | %.2f | %.3f | %.2f | %.1f | %.1f | %s | %s |"
                        + " %s | %s |%n",
                workers,
                (double) slices.dimension(),
                shards,
                rule,
                modelBytes * blocks / 1e6,
                gradient / slices.length(0) * slices.dimension() * workers / 1e6,
                reportBytes / 1e6,
                instructionBytes / 1e6,
                gradient / slices.length(0) * coordinates(measured) * scale * workers / 1e6,
                shardHeap * scale / 1e6,
                coordinatorHeap / 1e6,
                milliseconds(times, 0, scale),
                milliseconds(times, 1, scale),
                milliseconds(times, 2, scale),
                milliseconds(times, 3, 1));
    }

    private int coordinates(int blocks) {
        return Math.min(slices.dimension(), blocks * slices.blockSize());
    }

    private static String milliseconds(List<double[]> times, int part, double scale) {
        return Spread.of(times.stream().map(each -> each[part] * scale / 1e6).toList()).text();
    }

    private void round(int round) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int worker = 0; worker < workers; worker++) {
            for (int block = 0; block < measured; block++) {
                parts[block].gradient(gradient(round, worker, block));
            }
        }
        arriving = THREADS.getCurrentThreadCpuTime() - start;
        if (round == 0) {
            openHeap = used();
            shardHeap = openHeap - emptyHeap;
        }
        hear(round == 0);
        while (!instructions.isEmpty()) {
            Instruction told = instructions.poll();
            start = THREADS.getCurrentThreadCpuTime();
            for (int block = 0; block < measured; block++) {
                parts[block].instruction(told.to(new ShardId(0, block)));
            }
            long took = THREADS.getCurrentThreadCpuTime() - start;
            if (told instanceof Instruction.LookAgain) {
                looking += took;
            } else {
                closing += took;
            }
            instructionBytes += (long) bytes(Codecs.LOOP, told).length * slices.count();
            hear(round == 0);
        }
    }

    private GradientBlock gradient(int round, int worker, int block) {
        return new GradientBlock(
                Header.gradient(RUN, round, worker, new ShardId(0, block)),
                0,
                0,
                0,
                rows[block][worker]);
    }

    /** The coordinator reads and handles the reports of all blocks. */
    private void hear(boolean weigh) {
        List<ShardReport> said = List.copyOf(reports);
        reports.clear();
        for (int first = 0; first < said.size(); first += measured) {
            byte[][] all = new byte[slices.count()][];
            for (int block = 0; block < all.length; block++) {
                all[block] = bytes(Codecs.REPORT, of(said.get(first + block % measured), block));
                reportBytes += all[block].length;
            }
            boolean last = first + measured >= said.size();
            // Memory is measured before the end of the round, at which shards allocate more.
            hear(all, weigh && last && !(said.get(first) instanceof ShardReport.Applied));
        }
    }

    private void hear(byte[][] all, boolean weigh) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int block = 0; block < all.length; block++) {
            if (weigh && block == all.length - 1) {
                coordinatorHeap = Math.max(coordinatorHeap, used() - openHeap);
            }
            try {
                coordinator.report(
                        Codecs.REPORT.read(
                                new DataInputStream(new ByteArrayInputStream(all[block]))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            all[block] = null;
        }
        coordinating += THREADS.getCurrentThreadCpuTime() - start;
    }

    /** A copy of a report for another block. */
    private static ShardReport of(ShardReport report, int block) {
        ShardId shard = new ShardId(0, block);
        if (report instanceof ShardReport.Arrived row) {
            return new ShardReport.Arrived(
                    row.round(),
                    shard,
                    row.worker(),
                    row.base(),
                    row.weight(),
                    row.measured(),
                    row.loss(),
                    row.modelAt(),
                    row.computedAt(),
                    row.arrivedAt());
        }
        if (report instanceof ShardReport.Seen seen) {
            return new ShardReport.Seen(seen.round(), shard, seen.phase(), seen.share());
        }
        if (report instanceof ShardReport.Applied applied) {
            return new ShardReport.Applied(
                    applied.round(),
                    shard,
                    applied.reduceNanos(),
                    applied.updateNanos(),
                    applied.spread(),
                    applied.digest());
        }
        throw new IllegalStateException("unexpected " + report);
    }

    private static <T> byte[] bytes(Codec<? super T> codec, T value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            codec.write(value, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A training of this size that tolerates a fifth of its workers. */
    static Training training(int workers, int dimension, String rule, int rounds) {
        return RoundLoop.training(
                new FreeGradients(dimension), Rules.parse(rule), workers, workers / 5, rounds);
    }

    /** Live heap in bytes. */
    static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Override
    public void model(ModelBlock block) {
        // Counts values only, because the header is small.
        modelBytes += Float.BYTES * (long) block.length();
    }

    @Override
    public void report(ShardReport report) {
        reports.add(report);
    }

    @Override
    public void late(GradientBlock gradient) {
        throw new IllegalStateException("no row is late");
    }

    @Override
    public void instruct(Instruction instruction) {
        if (instruction.shard().block() == 0) {
            instructions.add(instruction);
        }
    }

    @Override
    public void finished(RoundReport report) {
        if (report.rows().length != workers) {
            throw new IllegalStateException("a row is missing");
        }
    }
}
