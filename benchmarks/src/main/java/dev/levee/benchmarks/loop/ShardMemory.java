package dev.levee.benchmarks.loop;

import com.sun.management.ThreadMXBean;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * Measures the memory that a parameter shard holds while a round is open, and the memory that it
 * allocates when the round closes, measured in blocks.
 */
public final class ShardMemory {
    private static final int SHARDS = 64;

    private ShardMemory() {}

    private static final class Nowhere implements Shard.Output {
        @Override
        public void model(ModelBlock block) {}

        @Override
        public void report(ShardReport report) {}

        @Override
        public void late(GradientBlock gradient) {}
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        Machine.print();
        System.out.printf(
                "in blocks of 2^17 floats, %d shards, sgd with server momentum%n%n", SHARDS);
        System.out.println("| n | kept with all rows there | allocated by reduce and step |");
        System.out.println("|---|---|---|");
        for (int workers : new int[] {5, 10, 20}) {
            measure(workers);
        }
    }

    private static void measure(int workers) {
        int dimension = SHARDS << 17;
        Training training = RoundLoop.training(new FreeGradients(dimension), workers, 10);
        Slices slices = Slices.of(training.model().layout());
        long before = used();
        Shard[] shards = new Shard[SHARDS];
        for (int block = 0; block < SHARDS; block++) {
            float[] values = new float[slices.length(block)];
            shards[block] =
                    new Shard(
                            training,
                            1,
                            slices,
                            new ShardId(0, block),
                            Shard.initial(training, 0, values),
                            new Nowhere(),
                            () -> 0);
            for (int worker = 0; worker < workers; worker++) {
                shards[block].gradient(
                        new GradientBlock(
                                Header.gradient(1, 0, worker, new ShardId(0, block)),
                                0,
                                0,
                                0,
                                new float[slices.length(block)]));
            }
        }
        double block = (double) (4L << 17) * SHARDS;
        double kept = (used() - before) / block;
        int[] rows = new int[workers];
        for (int worker = 0; worker < workers; worker++) {
            rows[worker] = worker;
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < SHARDS; i++) {
            shards[i].instruction(
                    new Instruction.Decide(
                            0,
                            new ShardId(0, i),
                            rows,
                            new long[workers],
                            RowMap.identity(workers, workers),
                            List.of(),
                            new Reduction.Mean(),
                            training.plan().at(training, 1)));
        }
        double closing =
                (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated)
                        / block;
        System.out.printf(Locale.ROOT, "| %d | %.2f | %.2f |%n", workers, kept, closing);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
