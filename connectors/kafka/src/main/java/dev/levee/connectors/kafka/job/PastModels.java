package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.versions.WindowReader;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the models that were to be evaluated and that precede the newest model on the topic of
 * models. A job that continues from the newest model would not see them otherwise. Models are
 * delivered in the order in which their last block was read.
 */
public final class PastModels {
    /** Approximate maximum number of floats in all incomplete models together. */
    private static final int OPEN_FLOATS = 1 << 25;

    private static final int LEAST_OPEN = 3;

    /**
     * A range of versions, both ends exclusive.
     *
     * @param run the run of the versions
     * @param after the version before the first
     * @param newest the version after the last
     */
    public record Range(long run, long after, long newest) {
        private boolean has(Frame frame) {
            return frame.run() == run && frame.round() > after && frame.round() < newest;
        }
    }

    /** Receives one model after the other. */
    public interface Output {
        /**
         * Receives a model.
         *
         * @param server the server that published it
         * @param version its version, as counted on topics
         * @param publishedAt the broker's milliseconds since the epoch
         * @param parameters the whole flat vector
         */
        void model(int server, long version, long publishedAt, float[] parameters);
    }

    /** Identifies a server's model of one version. Keys are sorted by version, then by server. */
    private record Key(long version, int server) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byVersion = Long.compare(version, other.version);
            return byVersion != 0 ? byVersion : Integer.compare(server, other.server);
        }
    }

    private static final class Partial {
        private final float[] parameters;
        private final BitSet blocks = new BitSet();

        private Partial(int dimension) {
            parameters = new float[dimension];
        }
    }

    private final Slices slices;
    private final ServerRing ring;
    private final Range range;
    private final Output output;
    private final TreeMap<Key, Partial> open = new TreeMap<>();

    private PastModels(Slices slices, ServerRing ring, Range range, Output output) {
        this.slices = slices;
        this.ring = ring;
        this.range = range;
        this.output = output;
    }

    /**
     * Delivers the models. Models of which compaction has removed blocks are skipped.
     *
     * @param consumer reads committed records
     * @param topic the topic of models
     * @param ring the trusted servers
     * @param patience maximum time without any record
     * @throws TimeoutException if no record arrives within {@code patience}
     */
    public static void read(
            Consumer<byte[], byte[]> consumer,
            String topic,
            Slices slices,
            ServerRing ring,
            Range range,
            Duration patience,
            Output output) {
        if (range.newest() - range.after() <= 1) {
            return;
        }
        List<TopicPartition> partitions =
                consumer.partitionsFor(topic, patience).stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
        consumer.assign(partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, patience);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, patience);
        // Records that a version has at most in a partition, plus its transaction marker.
        int shards = ring.count() * slices.count();
        long each = (shards + partitions.size() - 1) / partitions.size() + 1;
        Map<TopicPartition, Long> from = new HashMap<>();
        ends.forEach(
                (partition, end) ->
                        from.put(
                                partition,
                                Math.max(
                                        begins.get(partition),
                                        end - (range.newest() - range.after()) * each)));
        PastModels past = new PastModels(slices, ring, range, output);
        new WindowReader(consumer, patience).read(from, ends, past::add);
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value(), FrameKind.MODEL).orElse(null);
        boolean wanted =
                frame != null
                        && range.has(frame)
                        && frame.settings().evaluate()
                        && frame.block() < slices.count()
                        && frame.length() == slices.length(frame.block())
                        && ring.names(frame)
                        && ring.believes(frame);
        if (!wanted) {
            return;
        }
        Key key = new Key(frame.round(), frame.server());
        Partial partial = open.computeIfAbsent(key, k -> new Partial(slices.dimension()));
        slices.put(frame.model().values(), frame.block(), partial.parameters);
        partial.blocks.set(frame.block());
        if (partial.blocks.cardinality() == slices.count()) {
            open.remove(key);
            output.model(key.server(), key.version(), record.timestamp(), partial.parameters);
        } else if (open.size() > Math.max(LEAST_OPEN, OPEN_FLOATS / slices.dimension())) {
            open.pollFirstEntry();
        }
    }
}
