package dev.levee.operators.flink.internal.transfer;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.rounds.StageMessage;

import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.FileUtils;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A job on two TaskManagers of this process that send vectors to each other, one after another,
 * through Flink's network stack and the loopback device. Numbers are copied from tensors to the
 * heap, encoded as a pipeline's messages, and copied back into tensors.
 */
public final class TransferJob implements AutoCloseable {
    private static final String LOCALHOST = "127.0.0.1";
    private static final int MEMORY = 32;
    private static final long PATIENCE_SECONDS = 180;
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration SETTLE = Duration.ofMillis(500);

    private static final int TASK_MANAGERS = 2;

    /**
     * The work of the process between two moments.
     *
     * @param vectors number of vectors that arrived
     * @param processorSeconds processor seconds of all threads except for the JIT compiler's
     * @param seconds elapsed time
     */
    public record Measured(long vectors, double processorSeconds, double seconds) {
        /** The part of a core that each TaskManager used. */
        public double share() {
            return processorSeconds / (TASK_MANAGERS * seconds);
        }

        /**
         * Processor seconds of a vector at one of its two ends.
         *
         * @param share part of a core that a TaskManager uses without transfers
         */
        public double each(double share) {
            return Math.max(0, processorSeconds - share * TASK_MANAGERS * seconds) / (2 * vectors);
        }
    }

    private final MiniCluster cluster;
    private final TransferMeter meter;
    private final Path temporary;
    private JobID job;
    private CompletableFuture<JobResult> result;

    private TransferJob(MiniCluster cluster, TransferMeter meter, Path temporary) {
        this.cluster = cluster;
        this.meter = meter;
        this.temporary = temporary;
    }

    /**
     * Starts the job.
     *
     * @param length the initial length of vectors, which is also the largest
     * @param temporary a folder for this job only, which is deleted with the job
     */
    public static TransferJob start(int length, Path temporary) throws Exception {
        Configuration flink = new Configuration();
        flink.set(RestOptions.ADDRESS, LOCALHOST);
        flink.set(RestOptions.BIND_ADDRESS, LOCALHOST);
        flink.set(RestOptions.BIND_PORT, "0");
        flink.set(JobManagerOptions.BIND_HOST, LOCALHOST);
        flink.set(TaskManagerOptions.BIND_HOST, LOCALHOST);
        flink.set(CoreOptions.TMP_DIRS, temporary.toString());
        flink.set(CoreOptions.CHECK_LEAKED_CLASSLOADER, false);
        flink.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ZERO);
        flink.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(MEMORY));
        flink.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(MEMORY));
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(flink)
                                .setNumTaskManagers(TASK_MANAGERS)
                                .setNumSlotsPerTaskManager(1)
                                .build());
        TransferJob started = new TransferJob(cluster, new TransferMeter(length), temporary);
        boolean up = false;
        try {
            cluster.start();
            started.submit(graph(started.meter.id(), length));
            up = true;
            return started;
        } finally {
            if (!up) {
                started.close();
            }
        }
    }

    private void submit(JobGraph graph) throws Exception {
        job = cluster.submitJob(graph).get(PATIENCE_SECONDS, TimeUnit.SECONDS).getJobID();
        result = cluster.requestJobResult(job);
    }

    private static JobGraph graph(String meter, int most) {
        try (StreamExecutionEnvironment environment =
                new StreamExecutionEnvironment(new Configuration())) {
            environment.setParallelism(TASK_MANAGERS);
            environment.setBufferTimeout(0);
            environment
                    .fromSequence(0, Long.MAX_VALUE - 1)
                    .flatMap(new VectorSender(meter, most))
                    .returns(RecordKind.STAGE.asType(StageMessage.class))
                    .name(TransferMeter.NAME + " from here")
                    .partitionCustom((Integer to, int count) -> to, StageMessage::worker)
                    .flatMap(new VectorReceiver(meter, most))
                    .name(TransferMeter.NAME + " to here")
                    .sinkTo(new DiscardingSink<>());
            return environment.getStreamGraph().getJobGraph();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Changes the length of the vectors.
     *
     * @param length at most the initial length
     */
    public void send(int length) {
        meter.send(length);
    }

    /**
     * Waits until a number of vectors of the current length have arrived, or until some time has
     * passed and at least one has.
     *
     * @throws IllegalStateException if the job has ended, or nothing arrives; half a sentence
     */
    public Measured run(long vectors, Duration most) throws InterruptedException {
        long start = System.nanoTime();
        long before = meter.vectors();
        ProcessorTime processor = ProcessorTime.now();
        long passed = 0;
        while (meter.vectors() == before
                || meter.vectors() < before + vectors && passed < most.toNanos()) {
            requireRunning(POLL);
            passed = System.nanoTime() - start;
            if (meter.vectors() == before && passed > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("nothing has arrived");
            }
        }
        return measured(before, processor, start);
    }

    /**
     * Measures the job while no vectors are sent.
     *
     * @throws IllegalStateException if the job has ended; half a sentence
     */
    public Measured rest(Duration time) throws InterruptedException {
        meter.send(0);
        // The last vectors arrive meanwhile.
        requireRunning(SETTLE);
        long start = System.nanoTime();
        ProcessorTime processor = ProcessorTime.now();
        requireRunning(time);
        return measured(meter.vectors(), processor, start);
    }

    private Measured measured(long before, ProcessorTime processor, long start) {
        return new Measured(
                meter.vectors() - before,
                ProcessorTime.now().since(processor),
                (System.nanoTime() - start) / 1e9);
    }

    private void requireRunning(Duration time) throws InterruptedException {
        try {
            JobResult ended = result.get(time.toNanos(), TimeUnit.NANOSECONDS);
            throw new IllegalStateException(
                    "the job has ended", ended.getSerializedThrowable().orElse(null));
        } catch (TimeoutException e) {
            // The job runs, as it should.
        } catch (ExecutionException e) {
            throw new IllegalStateException("the job has failed", e.getCause());
        }
    }

    @Override
    public void close() throws Exception {
        try {
            if (job != null && !result.isDone()) {
                cluster.cancelJob(job).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            meter.close();
            cluster.closeAsync().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            FileUtils.deleteDirectoryQuietly(temporary.toFile());
        }
    }
}
