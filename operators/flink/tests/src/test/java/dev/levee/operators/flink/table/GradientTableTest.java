package dev.levee.operators.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** The format as the planner finds it. */
@Tag("cluster")
class GradientTableTest {
    private static final int WORKERS = 7;
    private static final String UNSIGNED = "'levee-gradient.unsigned' = 'true'";

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @TempDir Path directory;

    private static TableEnvironment table(String columns, String option) {
        TableEnvironment tables = LeveeModuleTest.tables(false);
        tables.executeSql(
                "CREATE TABLE gradients (%s) WITH ('connector' = 'records', 'format' = 'levee-gradient'%s)"
                        .formatted(columns, option.isEmpty() ? "" : ", " + option));
        return tables;
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String columns, String option) {
        return assertThatThrownBy(
                () -> table(columns, option).explainSql("SELECT * FROM gradients"));
    }

    @Test
    void aRuleOverTheTableHasTheLibrarysBits() throws Exception {
        KeyDirectory keys = new KeyDirectory(directory);
        Random random = new Random(5);
        float[][][] gradients = new float[2][WORKERS][300];
        List<byte[]> records = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
            for (int block = 0; block < gradients.length; block++) {
                float[] values = gradients[block][worker];
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) random.nextGaussian() + (worker == 2 ? 50 : 0);
                }
                records.add(record(keys, worker, block, values));
            }
        }
        records.add(new byte[500]);
        records.add(records.get(0)); // sent again
        KeyDirectory stranger = new KeyDirectory(directory.resolve("stranger"));
        stranger.generate("w0");
        stranger.generate("w8");
        records.add(record(stranger, 0, 0, new float[300]));
        records.add(record(stranger, 8, 0, new float[300]));
        RecordsConnector.RECORDS = records;

        TableEnvironment tables =
                table(
                        "gradient ARRAY<FLOAT>, block INT, worker INT",
                        "'levee-gradient.keys' = '" + directory + "'");
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> results =
                tables.executeSql(
                                "SELECT block, MULTI_KRUM(gradient, worker, 2) FROM gradients GROUP BY block")
                        .collect()) {
            results.forEachRemaining(rows::add);
        }

        rows.sort(Comparator.comparing(row -> row.getFieldAs(0)));
        assertThat(rows).hasSize(2);
        for (int block = 0; block < 2; block++) {
            assertThat(LeveeModuleTest.floats(rows.get(block).getField(1)))
                    .isEqualTo(Rules.aggregate(Rules.parse("multi-krum"), gradients[block], 2, 0));
        }
    }

    private static byte[] record(KeyDirectory keys, int worker, int block, float[] values) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(1, 12, worker, new ShardId(0, block)), 0.5, 0, 0, values),
                2,
                keys.signing(KeyDirectory.name(worker)));
    }

    @Test
    void elementsMayBeDeclaredNotNull() {
        assertThat(
                        table("gradient ARRAY<FLOAT NOT NULL> NOT NULL", UNSIGNED)
                                .explainSql("SELECT * FROM gradients"))
                .contains("gradients");
    }

    @Test
    void anUnknownColumnIsToldInASentence() {
        assertRefused("round BIGINT, sender INT", UNSIGNED)
                .hasMessage(
                        "a table of format levee-gradient has no column sender INT; there are run"
                                + " BIGINT, round BIGINT, worker INT, block INT, blocks INT, loss"
                                + " DOUBLE, gradient ARRAY<FLOAT>");
    }

    @Test
    void aWrongTypeIsToldInASentence() {
        assertRefused("round INT", UNSIGNED).hasMessageContaining("has no column round INT;");
        assertRefused("gradient ARRAY<DOUBLE>", UNSIGNED)
                .hasMessageContaining("has no column gradient ARRAY<DOUBLE>;");
    }

    @Test
    void eitherKeysOrUnsigned() {
        assertRefused("loss DOUBLE", "").rootCause().hasMessageEndingWith("; neither is set");
        assertRefused("loss DOUBLE", UNSIGNED + ", 'levee-gradient.keys' = 'keys'")
                .rootCause()
                .hasMessageEndingWith("; both are set");
    }

    @Test
    void keysThatCannotBeReadAreToldWithTheirOption() {
        assertRefused("loss DOUBLE", "'levee-gradient.keys' = '/no/such/keys'")
                .hasStackTraceContaining("'levee-gradient.keys': /no/such/keys");
    }
}
