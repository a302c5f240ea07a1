package dev.levee.benchmarks;

import com.sun.management.OperatingSystemMXBean;

import dev.levee.operators.rounds.coding.CodedShuffle;

import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Measures γ(n) of Flink's edges between TaskManagers: the cost of n different records, one to each
 * of n receivers, divided by the cost of one record to all of them. All TaskManagers run in this
 * process and communicate over the loopback interface, where the cost of a record is processor
 * time. Coded shuffling can pay, leaving out the cost of coding, from the cached share of data at
 * which {@link CodedShuffle#cost} falls below 1.
 */
public final class Multicast {
    private static final int BYTES = 1 << 20;
    private static final int FEW = 20;
    private static final int MANY = 320;
    private static final int REPEATS = 2;

    private Multicast() {}

    /** Prints γ for 2, 4 and 8 receivers, and the smallest cached share at which coding can pay. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.println("n  unicasts ms  broadcast ms  γ(n)  coding can pay from α =");
        seconds(2, true, MANY); // compiles and loads the code
        seconds(2, false, MANY);
        for (int n : new int[] {2, 4, 8}) {
            double unicasts = cost(n, false);
            double broadcast = cost(n, true);
            double gamma = unicasts / broadcast;
            System.out.printf(
                    Locale.ROOT,
                    "%d  %.2f  %.2f  %.2f  %s%n",
                    n,
                    1e3 * unicasts,
                    1e3 * broadcast,
                    gamma,
                    pays(n, gamma));
        }
    }

    private static String pays(int n, double gamma) {
        return IntStream.rangeClosed(0, 100)
                .mapToDouble(i -> 1.0 / n + i / 100.0 * (1 - 1.0 / n))
                .filter(share -> CodedShuffle.cost(n, share, gamma) < 1)
                .mapToObj(share -> String.format(Locale.ROOT, "%.2f", share))
                .findFirst()
                .orElse("none");
    }

    /**
     * Processor seconds to send n different records, or one record to all, without the fixed cost
     * of a job.
     */
    private static double cost(int n, boolean broadcast) throws Exception {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < REPEATS; i++) {
            double few = seconds(n, broadcast, FEW);
            double many = seconds(n, broadcast, MANY);
            least = Math.min(least, (many - few) / (MANY - FEW));
        }
        return least;
    }

    private static double seconds(int n, boolean broadcast, int rounds) throws Exception {
        Configuration cluster = new Configuration();
        cluster.set(TaskManagerOptions.MINI_CLUSTER_NUM_TASK_MANAGERS, n + 1);
        cluster.set(TaskManagerOptions.NUM_TASK_SLOTS, 1);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, cluster);
        environment.getConfig().enableObjectReuse();
        byte[] payload = new byte[BYTES];
        DataStream<Tuple2<Long, byte[]>> source =
                environment
                        .fromSequence(0, (broadcast ? rounds : (long) rounds * n) - 1)
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
        sent.map(each -> each.f0)
                .returns(Types.LONG)
                .setParallelism(n)
                .slotSharingGroup("receivers")
                .sinkTo(new DiscardingSink<>())
                .setParallelism(n);
        OperatingSystemMXBean process =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = process.getProcessCpuTime();
        environment.execute("multicast");
        return (process.getProcessCpuTime() - before) / 1e9;
    }
}
