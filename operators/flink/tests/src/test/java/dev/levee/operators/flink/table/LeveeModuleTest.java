package dev.levee.operators.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Rules;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

@Tag("cluster")
class LeveeModuleTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private static final float[][] ROWS = {
        {1f, 2f, 3f},
        {1.5f, 2.25f, 2f},
        {0.5f, 1f, 4f},
        {2f, 2f, 2f},
        {1f, 1f, 1f},
        {100f, -100f, 7f},
        {0.1f, 0.2f, 0.3f}
    };

    static TableEnvironment tables(boolean streaming) {
        TableEnvironment tables =
                TableEnvironment.create(
                        streaming
                                ? EnvironmentSettings.inStreamingMode()
                                : EnvironmentSettings.inBatchMode());
        tables.executeSql("LOAD MODULE levee");
        return tables;
    }

    static String values() {
        StringBuilder text = new StringBuilder("(VALUES ");
        for (int worker = 0; worker < ROWS.length; worker++) {
            float[] row = ROWS[worker];
            text.append(worker == 0 ? "" : ", ")
                    .append(
                            "(%d, CAST(ARRAY[%s, %s, %s] AS ARRAY<FLOAT>))"
                                    .formatted(worker, row[0], row[1], row[2]));
        }
        return text + ") AS gradients(worker, gradient)";
    }

    /** The last insertion or update of a changelog. */
    static Row last(TableEnvironment tables, String sql) throws Exception {
        Row last = null;
        try (CloseableIterator<Row> rows = tables.executeSql(sql).collect()) {
            while (rows.hasNext()) {
                Row row = rows.next();
                if (row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER) {
                    last = row;
                }
            }
        }
        return last;
    }

    static float[] floats(Object field) {
        if (field instanceof float[] values) {
            return values;
        }
        Float[] boxed = (Float[]) field;
        float[] values = new float[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = boxed[i];
        }
        return values;
    }

    private static boolean isFunction(String rule) {
        return Rules.plain(rule).filter(plain -> !plain.needsScores()).isPresent();
    }

    /** The rule {@code bounded} of a plug-in needs a parameter. */
    @Test
    void showFunctionsListsEveryRuleButThoseWithScoresOrParameters() throws Exception {
        List<String> listed = new ArrayList<>();
        tables(true)
                .executeSql("SHOW FUNCTIONS")
                .collect()
                .forEachRemaining(
                        row -> listed.add(row.getFieldAs(0).toString().toLowerCase(Locale.ROOT)));
        for (String rule : Rules.names()) {
            String name = rule.replace('-', '_');
            assertThat(listed.contains(name)).as(rule).isEqualTo(isFunction(rule));
        }
        assertThat(Rules.names()).contains("bounded");
        assertThat(listed).doesNotContain("bounded");
        assertThat(listed).contains("robust_aggregate");
    }

    @Test
    void aWholeBatchOfRulesEqualsTheLibraryBitForBit() throws Exception {
        List<String> rules = Rules.names().stream().filter(LeveeModuleTest::isFunction).toList();
        StringBuilder sql = new StringBuilder("SELECT ");
        for (String rule : rules) {
            sql.append(rule.toUpperCase(Locale.ROOT).replace('-', '_'))
                    .append("(gradient, worker, 1), ");
        }
        sql.append("ROBUST_AGGREGATE(gradient, worker, 1, 'clip(2) | nnm | trimmed-mean') FROM ");
        Row row = last(tables(false), sql + values());
        for (int i = 0; i < rules.size(); i++) {
            assertThat(floats(row.getField(i)))
                    .as(rules.get(i))
                    .isEqualTo(Rules.aggregate(Rules.parse(rules.get(i)), ROWS, 1, 0));
        }
        assertThat(floats(row.getField(rules.size())))
                .isEqualTo(
                        Rules.aggregate(Rules.parse("clip(2) | nnm | trimmed-mean"), ROWS, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsWithoutAWorkerAreOrderedByTheirCoordinates(boolean streaming) throws Exception {
        float[][] sorted = ROWS.clone();
        Arrays.sort(sorted, Arrays::compare);
        Row row = last(tables(streaming), "SELECT MULTI_KRUM(gradient, 2) FROM " + values());
        assertThat(floats(row.getField(0)))
                .isEqualTo(Rules.aggregate(Rules.parse("multi-krum"), sorted, 2, 0));
    }

    @Test
    void aChangelogTakesRowsBack() throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(1);
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        tables.executeSql("LOAD MODULE levee");
        List<Row> changes = new ArrayList<>();
        for (int worker = 0; worker < ROWS.length; worker++) {
            changes.add(change(RowKind.INSERT, worker, ROWS[worker]));
        }
        changes.add(change(RowKind.DELETE, 5, ROWS[5]));
        changes.add(change(RowKind.UPDATE_BEFORE, 0, ROWS[0]));
        changes.add(change(RowKind.UPDATE_AFTER, 0, new float[] {3f, 3f, 3f}));
        tables.createTemporaryView(
                "gradients",
                tables.fromChangelogStream(
                        environment.fromData(
                                org.apache.flink.api.common.typeinfo.Types.ROW_NAMED(
                                        new String[] {"worker", "gradient"},
                                        org.apache.flink.api.common.typeinfo.Types.LONG,
                                        org.apache.flink.api.common.typeinfo.Types.OBJECT_ARRAY(
                                                org.apache.flink.api.common.typeinfo.Types.FLOAT)),
                                changes.toArray(new Row[0])),
                        Schema.newBuilder()
                                .column("worker", DataTypes.BIGINT())
                                .column("gradient", DataTypes.ARRAY(DataTypes.FLOAT()))
                                .build()));
        Row row = last(tables, "SELECT MEDIAN(gradient, worker, 0) FROM gradients");
        float[][] left = {{3f, 3f, 3f}, ROWS[1], ROWS[2], ROWS[3], ROWS[4], ROWS[6]};
        assertThat(floats(row.getField(0)))
                .isEqualTo(Rules.aggregate(Rules.parse("median"), left, 0, 0));
    }

    private static Row change(RowKind kind, long worker, float[] values) {
        Float[] boxed = new Float[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return Row.ofKind(kind, worker, boxed);
    }

    @Test
    void aGroupWithTooFewRowsIsNull() throws Exception {
        assertThat(last(tables(false), "SELECT BULYAN(gradient, 3) FROM " + values()).getField(0))
                .isNull();
    }

    @Test
    void aWrongRuleIsToldInASentence() {
        assertThatThrownBy(
                        () ->
                                last(
                                        tables(false),
                                        "SELECT ROBUST_AGGREGATE(gradient, worker, 1, 'nnm') FROM "
                                                + values()))
                .rootCause()
                .hasMessageContaining("nnm is a pre-aggregation");
    }

    @Test
    void theStatementsInTheDocsRun() throws Exception {
        String page =
                Files.readString(
                        Path.of(System.getProperty("levee.home"), "docs", "how-to", "flink.md"));
        List<String> statements =
                Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL)
                        .matcher(page)
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        // The last two read from Kafka; GradientTopicTest runs them.
        assertThat(statements).hasSize(4);
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        tables.executeSql(statements.get(0));
        float[][] rows = {{1f, 1f}, {1f, 2f}, {2f, 1f}, {2f, 2f}, {90f, -90f}};
        assertThat(floats(last(tables, statements.get(1)).getField(0)))
                .isEqualTo(Rules.aggregate(Rules.parse("multi-krum"), rows, 1, 0));
    }
}
