package dev.levee.estimation.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

@Tag("cluster")
class EffectEstimatorTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @TempDir Path directory;
    private StreamTableEnvironment tables;
    private final List<Row> rows = new ArrayList<>();

    @BeforeEach
    void drawRows() {
        tables =
                StreamTableEnvironment.create(StreamExecutionEnvironment.getExecutionEnvironment());
        Random random = new Random(4);
        for (int i = 0; i < 120; i++) {
            double x = random.nextGaussian();
            boolean d = random.nextGaussian() + x > 0;
            double y = 0.5 * (d ? 1 : 0) + x + random.nextGaussian();
            rows.add(Row.of(y, d, x, i % 20));
        }
    }

    private Table table() {
        return tables.fromValues(
                DataTypes.ROW(
                        DataTypes.FIELD("y", DataTypes.DOUBLE()),
                        DataTypes.FIELD("d", DataTypes.BOOLEAN()),
                        DataTypes.FIELD("x", DataTypes.DOUBLE()),
                        DataTypes.FIELD("city", DataTypes.INT())),
                rows);
    }

    private static EffectEstimator estimator() {
        return new EffectEstimator()
                .set(EffectEstimator.MODEL, "irm")
                .set(EffectEstimator.LEARNERS, new String[] {"ml_m=logistic"})
                .set(EffectEstimator.COVARIATE_COLS, new String[] {"x"})
                .set(EffectEstimator.REPETITIONS, 2);
    }

    private static List<Row> collect(Table table) throws Exception {
        List<Row> all = new ArrayList<>();
        try (CloseableIterator<Row> each = table.execute().collect()) {
            each.forEachRemaining(all::add);
        }
        return all;
    }

    @Test
    void theEffectIsATableAndAColumnAndComesBackFromFiles() throws Exception {
        EffectEstimatorModel model = estimator().fit(table());
        assertThat(model.coefficient("d")).isCloseTo(0.5, within(5 * model.standardError("d")));
        model.save(directory.resolve("model").toString());
        EffectEstimatorModel loaded =
                EffectEstimatorModel.load(tables, directory.resolve("model").toString());
        assertThat(collect(loaded.getModelData()[0]))
                .hasSize(1)
                .first()
                .satisfies(
                        row -> {
                            assertThat(row.getField("treatment")).isEqualTo("d");
                            assertThat(row.getField("coefficient"))
                                    .isEqualTo(model.coefficient("d"));
                            assertThat(row.getField("joint_lower")).isNull();
                        });
        Row first = collect(loaded.transform(table())[0]).get(0);
        assertThat(first.getField("effect"))
                .isEqualTo((Boolean) first.getField("d") ? model.coefficient("d") : 0.0);
    }

    @Test
    void theOrderOfRowsDoesNotMatter() {
        double coefficient = estimator().fit(table()).coefficient("d");
        Collections.shuffle(rows, new Random(9));
        assertThat(estimator().fit(table()).coefficient("d")).isEqualTo(coefficient);
    }

    @Test
    void aStageComesBackFromFilesWithItsParameters() throws Exception {
        estimator().save(directory.resolve("stage").toString());
        EffectEstimator loaded =
                EffectEstimator.load(tables, directory.resolve("stage").toString());
        assertThat(loaded.get(EffectEstimator.MODEL)).isEqualTo("irm");
        assertThat(loaded.get(EffectEstimator.LEARNERS)).containsExactly("ml_m=logistic");
    }

    @Test
    void wrongParametersAndColumnsAreRefusedInASentence() {
        assertThatThrownBy(() -> estimator().set(EffectEstimator.SCORE, "late").fit(table()))
                .hasMessage("the model irm has the score ate or att, got late");
        assertThatThrownBy(() -> estimator().set(EffectEstimator.OUTCOME_COL, "z").fit(table()))
                .hasMessageContaining("must be one of y, d, x, city, got z");
        assertThatThrownBy(() -> estimator().set(EffectEstimator.BOOTSTRAP_DRAWS, 200).fit(table()))
                .hasMessage("the draws of the bootstrap are for a bootstrap, got 200 without one");
        String[] nobody = {"m=logistic"};
        assertThatThrownBy(() -> estimator().set(EffectEstimator.LEARNERS, nobody).fit(table()))
                .hasMessageStartingWith("a nuisance function is ml_l, ml_m");
    }
}
