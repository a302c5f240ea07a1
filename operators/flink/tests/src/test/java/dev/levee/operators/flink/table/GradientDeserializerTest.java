package dev.levee.operators.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.Rejection;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

class GradientDeserializerTest {
    private static final long RUN = 1_700_000_000_000_000L;
    private static final float[] VALUES = {1.5f, -0f, Float.NaN};

    @TempDir static Path directory;
    private static KeyRing ring;
    private static SigningKey key;
    private static SigningKey another;

    private final Map<String, Counter> rejected = new TreeMap<>();

    @BeforeAll
    static void makeKeys() throws Exception {
        KeyDirectory keys = new KeyDirectory(directory);
        for (String name : new String[] {"w3", "w4"}) {
            keys.generate(name);
        }
        ring = keys.workers();
        key = keys.signing("w3");
        another = keys.signing("w4");
    }

    private GradientDeserializer open(KeyRing keys, Long run, GradientColumn... columns) {
        GradientDeserializer schema = new GradientDeserializer(columns, keys, run, null);
        schema.open(new Counting(rejected));
        return schema;
    }

    private static byte[] record(long run, int worker, SigningKey key) {
        return record(run, worker, Header.FLOAT32, key);
    }

    private static byte[] record(long run, int worker, int encoding, SigningKey key) {
        Header header = Header.gradient(run, 12, worker, new ShardId(0, 1)).encoded(encoding);
        return Frames.of(new GradientBlock(header, 0.25, 0, 0, VALUES), 2, key);
    }

    private static byte[] model() {
        return Frames.of(
                new ModelBlock(
                        Header.model(RUN, 12, new ShardId(0, 1)),
                        new Settings(Cohort.first(4), 1, 4, 8, 0.1, false, false, 0),
                        VALUES),
                2,
                key);
    }

    private long count(Rejection reason) {
        return rejected.get(reason.name().toLowerCase(Locale.ROOT)).getCount();
    }

    private void assertRefused(GradientDeserializer schema, Rejection reason, byte[]... records) {
        for (byte[] record : records) {
            assertThat(schema.deserialize(record)).isNull();
        }
        Map<Rejection, Long> counts = new EnumMap<>(Rejection.class);
        for (Rejection each : GradientDeserializer.REASONS) {
            counts.put(each, count(each));
        }
        assertThat(counts.remove(reason)).isEqualTo(records.length);
        assertThat(counts).allSatisfy((other, count) -> assertThat(count).isZero());
    }

    @Test
    void aGradientHasEveryColumn() {
        RowData row = open(ring, RUN, GradientColumn.values()).deserialize(record(RUN, 3, key));
        assertThat(row.getLong(0)).isEqualTo(RUN);
        assertThat(row.getLong(1)).isEqualTo(12);
        assertThat(row.getInt(2)).isEqualTo(3);
        assertThat(row.getInt(3)).isEqualTo(1);
        assertThat(row.getInt(4)).isEqualTo(2);
        assertThat(row.getDouble(5)).isEqualTo(0.25);
        assertThat(row.getArray(6).toFloatArray()).isEqualTo(VALUES);
        assertThat(rejected.values()).allMatch(counter -> counter.getCount() == 0);
    }

    @Test
    void columnsComeInTheTablesOrder() {
        RowData row =
                open(ring, null, GradientColumn.LOSS, GradientColumn.WORKER)
                        .deserialize(record(RUN, 3, key));
        assertThat(row.getArity()).isEqualTo(2);
        assertThat(row.getDouble(0)).isEqualTo(0.25);
        assertThat(row.getInt(1)).isEqualTo(3);
    }

    @Test
    void whatIsNoGradientIsMalformed() {
        byte[] cut = Arrays.copyOf(record(RUN, 3, key), 190);
        assertRefused(
                open(ring, null),
                Rejection.MALFORMED,
                null,
                new byte[0],
                "garbage".repeat(100).getBytes(StandardCharsets.UTF_8),
                cut,
                model());
    }

    @Test
    void aFlippedBitNeverMakesARow() {
        byte[] record = record(RUN, 3, key);
        GradientDeserializer schema = open(ring, null);
        for (int bit = 0; bit < record.length * 8; bit++) {
            byte[] flipped = record.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(schema.deserialize(flipped)).as("bit %d", bit).isNull();
        }
        assertThat(rejected.values().stream().mapToLong(Counter::getCount).sum())
                .isEqualTo(record.length * 8L);
    }

    @Test
    void aSignatureOfSomebodyElseIsForged() {
        assertRefused(
                open(ring, null), Rejection.FORGED, record(RUN, 3, another), record(RUN, 3, null));
    }

    @Test
    void maskedGradientsAreNoRows() {
        assertRefused(open(ring, null), Rejection.WRONG_SIZE, record(RUN, 3, Header.MASKED, key));
    }

    @Test
    void workersWithoutAKeyAreUnknown() {
        assertRefused(
                open(ring, null),
                Rejection.UNKNOWN_WORKER,
                record(RUN, 5, key),
                record(RUN, -1, key));
    }

    @Test
    void anotherRunIsForeign() {
        assertRefused(open(ring, RUN), Rejection.FOREIGN_RUN, record(RUN - 1, 3, key));
    }

    @Test
    void withoutKeysWhateverIsIntactIsBelieved() {
        GradientDeserializer schema = open(KeyRing.OPEN, null, GradientColumn.WORKER);
        assertThat(schema.deserialize(record(RUN, 77, null)).getInt(0)).isEqualTo(77);
        byte[] altered = record(RUN, 3, key);
        altered[altered.length - 1] ^= 1;
        assertRefused(schema, Rejection.MALFORMED, altered);
    }

    /** Keeps the counters of each reason. */
    private record Counting(Map<String, Counter> rejected)
            implements DeserializationSchema.InitializationContext {
        @Override
        public MetricGroup getMetricGroup() {
            return new UnregisteredMetricsGroup() {
                @Override
                public MetricGroup addGroup(String key, String value) {
                    assertThat(key).isEqualTo("reason");
                    return new UnregisteredMetricsGroup() {
                        @Override
                        public Counter counter(String name) {
                            assertThat(name).isEqualTo("rejected");
                            return rejected.computeIfAbsent(value, v -> super.counter(name));
                        }
                    };
                }
            };
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
        }
    }
}
