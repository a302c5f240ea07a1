package dev.levee.operators.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rules over windows of event time, whose parts are aggregated apart and merged. */
@Tag("cluster")
class WindowedSqlTest {
    private static final int WORKERS = 7;
    private static final int ROUNDS = 4;
    private static final int ROUND_SECONDS = 60;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private final float[][][] gradients = gradients();

    private static float[][][] gradients() {
        Random random = new Random(3);
        float[][][] all = new float[ROUNDS][WORKERS][3];
        for (float[][] round : all) {
            for (float[] row : round) {
                for (int i = 0; i < row.length; i++) {
                    row[i] = (float) random.nextGaussian();
                }
            }
            round[5][0] = 1e6f; // one that lies
        }
        return all;
    }

    /** Each round's rows within seven seconds, a minute after those of the round before. */
    private StreamTableEnvironment tables() {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(2);
        List<Row> rows = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int worker = 0; worker < WORKERS; worker++) {
                Float[] boxed = new Float[3];
                for (int i = 0; i < 3; i++) {
                    boxed[i] = gradients[round][worker][i];
                }
                Instant at = Instant.ofEpochSecond((long) round * ROUND_SECONDS + worker);
                rows.add(Row.of((long) worker, boxed, at));
            }
        }
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        tables.executeSql("LOAD MODULE levee");
        tables.createTemporaryView(
                "gradients",
                environment.fromData(
                        Types.ROW_NAMED(
                                new String[] {"worker", "gradient", "at"},
                                Types.LONG,
                                Types.OBJECT_ARRAY(Types.FLOAT),
                                Types.INSTANT),
                        rows.toArray(new Row[0])),
                Schema.newBuilder()
                        .column("worker", DataTypes.BIGINT())
                        .column("gradient", DataTypes.ARRAY(DataTypes.FLOAT()))
                        .column("at", DataTypes.TIMESTAMP_LTZ(3))
                        .watermark("at", "`at` - INTERVAL '1' SECOND")
                        .build());
        return tables;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TUMBLE(TABLE gradients, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)",
                "SESSION(TABLE gradients, DESCRIPTOR(`at`), INTERVAL '20' SECOND)"
            })
    void aWindowOfARoundHasTheLibrarysBits(String window) throws Exception {
        List<Row> results = new ArrayList<>();
        try (CloseableIterator<Row> rows =
                tables().executeSql(
                                "SELECT window_start, MULTI_KRUM(gradient, worker, 1) FROM TABLE("
                                        + window
                                        + ") GROUP BY window_start, window_end")
                        .collect()) {
            rows.forEachRemaining(results::add);
        }
        results.sort((a, b) -> a.getField(0).toString().compareTo(b.getField(0).toString()));
        assertThat(results).hasSize(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(LeveeModuleTest.floats(results.get(round).getField(1)))
                    .as("round %d", round)
                    .isEqualTo(Rules.aggregate(Rules.parse("multi-krum"), gradients[round], 1, 0));
        }
    }
}
