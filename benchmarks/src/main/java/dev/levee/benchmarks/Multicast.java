package dev.levee.benchmarks;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.accumulators.LongMinimum;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.util.Locale;

/**
 * γ(n) of this machine's edges between TaskManagers: what n different records cost, one to each of
 * n receivers, by what one record to all of them costs. Coded shuffling (Lee et al. 2018, section
 * V) sends (α + 1/n) · γ(n) times less where each worker caches a share α of the data: it pays if
 * that is above 1.
 */
public final class Multicast {
    private static final int BYTES = 1 << 20;
    private static final int ROUNDS = 400;
    private static final int REPEATS = 3;

    private Multicast() {}

    /** Prints γ for 2, 4 and 8 receivers, and the least cache with which coding pays. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println("n  unicasts MB/s  broadcast MB/s  γ(n)  coding pays from α =");
        for (int n : new int[] {2, 4, 8}) {
            measure(n);
        }
    }

    private static void measure(int n) throws Exception {
        double unicasts = Double.POSITIVE_INFINITY;
        double broadcast = Double.POSITIVE_INFINITY;
        for (int i = 0; i < REPEATS; i++) {
            unicasts = Math.min(unicasts, seconds(n, false));
            broadcast = Math.min(broadcast, seconds(n, true));
        }
        double gamma = unicasts / broadcast;
        double share = 1 / gamma - 1.0 / n;
        double megabytes = (double) n * ROUNDS * BYTES / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%d  %.0f  %.0f  %.2f  %s%n",
                n,
                megabytes / unicasts,
                megabytes / broadcast,
                gamma,
                share > 1 ? "none" : String.format(Locale.ROOT, "%.2f", Math.max(share, 1.0 / n)));
    }

    /** Seconds from the first record to the last, until all receivers have as many. */
    private static double seconds(int n, boolean broadcast) throws Exception {
        Configuration cluster = new Configuration();
        cluster.set(TaskManagerOptions.MINI_CLUSTER_NUM_TASK_MANAGERS, n + 1);
        cluster.set(TaskManagerOptions.NUM_TASK_SLOTS, 1);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, cluster);
        environment.getConfig().enableObjectReuse();
        byte[] payload = new byte[BYTES];
        long records = broadcast ? ROUNDS : (long) ROUNDS * n;
        DataStream<Tuple2<Long, byte[]>> source =
                environment
                        .fromSequence(0, records - 1)
                        .slotSharingGroup("sender")
                        .map(i -> Tuple2.of(i, payload))
                        .returns(
                                Types.TUPLE(
                                        Types.LONG,
                                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        DataStream<Tuple2<Long, byte[]>> sent =
                broadcast
                        ? source.broadcast()
                        : source.partitionCustom(
                                (Long i, int receivers) -> (int) (i % receivers), each -> each.f0);
        sent.map(new Receiver())
                .setParallelism(n)
                .slotSharingGroup("receivers")
                .sinkTo(new DiscardingSink<>())
                .setParallelism(n);
        JobExecutionResult result = environment.execute("multicast");
        long first = result.getAccumulatorResult("first");
        long last = result.getAccumulatorResult("last");
        return (last - first) / 1e9;
    }

    /** Notes when its first and its last record came; all receivers are in this process. */
    private static final class Receiver extends RichMapFunction<Tuple2<Long, byte[]>, Long> {
        private static final long serialVersionUID = 1L;

        private final LongMinimum first = new LongMinimum();
        private final LongMaximum last = new LongMaximum();

        @Override
        public void open(OpenContext context) {
            getRuntimeContext().addAccumulator("first", first);
            getRuntimeContext().addAccumulator("last", last);
        }

        @Override
        public Long map(Tuple2<Long, byte[]> record) {
            long now = System.nanoTime();
            first.add(now);
            last.add(now);
            return record.f0;
        }
    }
}
