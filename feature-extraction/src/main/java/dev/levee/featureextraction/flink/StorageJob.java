package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.serve.RequestOutcome;
import dev.levee.featureextraction.serve.StorageLimits;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;

/**
 * The storage tier as a Flink job that runs until it is canceled. It has no state and needs no
 * checkpoints: after a failure, Flink restarts it, and clients repeat their requests.
 */
public final class StorageJob {
    private static final Logger LOG = LoggerFactory.getLogger(StorageJob.class);

    private StorageJob() {}

    /** The job's configuration, with an unlimited number of restarts. */
    public static Configuration configuration() {
        Configuration flink = new Configuration();
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
        return flink;
    }

    /**
     * Adds the operators to a job.
     *
     * @param host address to listen at, in every process
     * @param port the port of the first subtask; other subtasks use the following ports
     * @param doors number of subtasks, each of which listens
     * @param limits limits of each subtask
     */
    public static void add(
            StreamExecutionEnvironment environment,
            String host,
            int port,
            int doors,
            StorageLimits limits) {
        StorageSource source =
                new StorageSource(
                        host,
                        port,
                        limits.memory(),
                        limits.threads(),
                        limits.objects().toArray(String[]::new),
                        limits.measured());
        environment
                .fromSource(
                        source,
                        WatermarkStrategy.noWatermarks(),
                        "storage tier",
                        TypeInformation.of(RequestOutcome.class))
                .setParallelism(doors)
                .sinkTo(new RequestLog())
                .name("request log")
                .setParallelism(doors);
    }

    /** Logs each request. */
    private record RequestLog() implements Sink<RequestOutcome> {
        @Override
        public SinkWriter<RequestOutcome> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(RequestOutcome served, Context where) {
                    LOG.info("{}", served);
                }

                @Override
                public void flush(boolean endOfInput) {
                    // Logging needs no flush.
                }

                @Override
                public void close() {
                    // There is nothing to close.
                }
            };
        }
    }
}
