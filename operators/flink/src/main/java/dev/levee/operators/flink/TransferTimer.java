package dev.levee.operators.flink;

import dev.levee.operators.flink.internal.transfer.TransferJob;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures the processor time that a TaskManager on this machine uses in addition to the passes of
 * a pipeline. A job on two TaskManagers within this process sends vectors in both directions, from
 * one tensor to another. All threads of the process count, except for the JIT compiler's: network,
 * tasks, garbage collector, Flink's own. Each end counts as half, because the kernel does a part of
 * the receiver's work on the processor of the sender.
 */
public final class TransferTimer {
    /** Length of a large vector, which is divided like the vectors of a pipeline. */
    private static final int LARGE = 1 << 19;

    /** Number of vectors until most code is compiled. */
    private static final int WARM_UP = 200;

    private static final int COUNTED = 100;
    private static final int SMALL = 1_000;

    /** Longest duration of one measurement, which counts fewer vectors on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final Duration REST = Duration.ofSeconds(2);

    /**
     * The cost of transfers at a TaskManager.
     *
     * @param perMessage seconds for each message at one end
     * @param perByte seconds for each byte at one end
     * @param share the part of a core that a TaskManager with a job always uses
     */
    public record Times(double perMessage, double perByte, double share) {}

    private static Times measured;

    private TransferTimer() {}

    /**
     * Measures the processor time, once in a process, in about eight seconds.
     *
     * @throws IllegalStateException if no vector arrives; one sentence
     */
    public static synchronized Times measure() {
        if (measured == null) {
            measured = now();
        }
        return measured;
    }

    private static Times now() {
        Path temporary;
        try {
            temporary = Files.createTempDirectory("levee-transfers-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (TransferJob job = TransferJob.start(LARGE, temporary)) {
            return measure(job);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "the processor time of transfers cannot be measured on this machine: "
                            + e.getMessage(),
                    e);
        }
    }

    private static Times measure(TransferJob job) throws InterruptedException {
        job.run(1, PATIENCE);
        job.run(WARM_UP, PATIENCE);
        double share = job.rest(REST).share();
        job.send(LARGE);
        double large = job.run(COUNTED, PATIENCE).each(share);
        job.send(1);
        job.run(SMALL, PATIENCE);
        double small = job.run(SMALL, PATIENCE).each(share);
        long bytes = (long) LARGE * Float.BYTES;
        return new Times(small, Math.max(0, large - small) / bytes, share);
    }
}
