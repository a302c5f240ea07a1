package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.versions.WindowReader;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.operators.rounds.Slices;

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
 * Models that were to be evaluated and that the topic of models still has before the newest one: a
 * job that continues from the newest would never see them. Models come in the order in which their
 * last block was read.
 */
public final class PastModels {
    /** Floats of models that are incomplete at the same time, about. */
    private static final int OPEN_FLOATS = 1 << 25;

    private static final int LEAST_OPEN = 3;

    /**
     * Which versions.
     *
     * @param run theirs
     * @param after the version before the first of them
     * @param newest the version behind the last of them
     */
    public record Range(long run, long after, long newest) {
        private boolean has(Frame frame) {
            return frame.run() == run && frame.round() > after && frame.round() < newest;
        }
    }

    /** Takes one model after the other. */
    public interface Output {
        /**
         * A model.
         *
         * @param server whose it is
         * @param version of it, as topics count
         * @param publishedAt the broker's milliseconds since the epoch
         * @param parameters the whole flat vector
         */
        void model(int server, long version, long publishedAt, float[] parameters);
    }

    /** Models of one version are next to each other. */
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
     * Hands out the models. Those that have been compacted away in part are missing.
     *
     * @param consumer reads what has been committed
     * @param topic of models
     * @param ring who is believed
     * @param patience how long nothing at all may arrive
     * @throws TimeoutException if patience ends
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
        // A version has at most so many records in a partition, and a mark of its transaction.
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
        Frame frame = Frame.read(record.value()).orElse(null);
        boolean wanted =
                frame != null
                        && frame.kind() == FrameKind.MODEL
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
