package dev.levee.operators.flink.ml;

import static org.apache.flink.table.api.Expressions.$;

import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.ml.api.Estimator;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableImpl;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Trains logistic regression in Levee's round loop, which tolerates f Byzantine workers of n.
 *
 * <p>{@code fit} runs at once, as separate jobs on the cluster of the table's environment. It
 * collects the (bounded) table to the client, sorts it by label and features so that the model does
 * not depend on the order of rows, and sends it with the training job. This supports tables of up
 * to 16 MiB; for larger data, use files and {@link TrainingJob}.
 */
public final class RobustClassifier
        implements Estimator<RobustClassifier, RobustClassifierModel>,
                RobustClassifierParams<RobustClassifier> {
    private static final long serialVersionUID = 1L;
    private static final long MOST_BYTES = 16 << 20;
    private static final int MOST_CLASSES = 1_000_000;

    private final Map<Param<?>, Object> params = new HashMap<>();

    /** Creates a classifier with default parameters. */
    public RobustClassifier() {
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    @Override
    public RobustClassifierModel fit(Table... inputs) {
        if (inputs.length != 1) {
            throw new IllegalArgumentException(
                    "RobustClassifier fits one table, got " + inputs.length);
        }
        // Checks parameters before a job reads the table; data and model do not matter here.
        training("", null);
        List<Sample> samples = collect(inputs[0]);
        int width = samples.get(0).features().length;
        int classes = 1 + Math.max(1, samples.get(samples.size() - 1).label());
        String dataset =
                Datasets.inline(
                        samples.stream().map(Sample::features).toArray(float[][]::new),
                        samples.stream().mapToInt(Sample::label).toArray(),
                        classes);
        Model model = Models.open("logistic", new int[] {width}, classes);
        float[] parameters = train(training(dataset, model), inputs[0]);
        RobustClassifierModel fitted =
                new RobustClassifierModel(new LogisticWeights(width, classes, parameters));
        ParamUtils.updateExistingParams(fitted, params);
        return fitted;
    }

    private Training training(String dataset, Model model) {
        TrainingBuilder builder =
                new TrainingBuilder(
                                "flinkml1",
                                dataset,
                                model,
                                Rules.parse(get(RULE)),
                                get(WORKERS),
                                get(BYZANTINE))
                        .batchSize(get(BATCH_SIZE))
                        .learningRate(
                                LearningRate.parse("constant", get(LEARNING_RATE), get(ROUNDS)))
                        .rounds(get(ROUNDS))
                        .evalInterval(get(ROUNDS))
                        .seed(get(SEED));
        if (get(ATTACKERS) > 0) {
            builder.attack(Attacks.parse(get(ATTACK)), get(ATTACKERS));
        }
        return builder.build();
    }

    private static float[] train(Training training, Table table) {
        Configuration configuration =
                Configuration.fromMap(
                        ((TableImpl) table)
                                .getTableEnvironment()
                                .getConfig()
                                .getRootConfiguration()
                                .toMap());
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        try {
            // There is one model. A limit of one would cancel the job instead of waiting for its
            // end.
            return TrainingJob.model(environment, training)
                    .executeAndCollect("RobustClassifier", 2)
                    .get(0);
        } catch (Exception e) {
            throw new IllegalStateException("training the RobustClassifier failed", e);
        }
    }

    private List<Sample> collect(Table table) {
        List<Sample> samples = new ArrayList<>();
        Table columns =
                table.select(
                        $(get(FEATURES_COL)).cast(DataTypes.ARRAY(DataTypes.FLOAT())),
                        $(get(LABEL_COL)).cast(DataTypes.DOUBLE()));
        try (CloseableIterator<Row> rows = columns.execute().collect()) {
            remaining(rows, MOST_BYTES)
                    .forEach(
                            (row, copies) ->
                                    samples.addAll(Collections.nCopies(copies, Sample.of(row))));
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the table to fit could not be read", e);
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(
                    "RobustClassifier needs samples, the table is empty");
        }
        samples.sort(null);
        return samples;
    }

    /**
     * The rows that remain after all changes, with their numbers of copies. In streaming mode, a
     * query such as an aggregation inserts preliminary rows and retracts them later.
     *
     * @param most bytes that the rows may take at any time, 4 per feature and label
     * @throws IllegalArgumentException if they take more; one sentence
     */
    static Map<Row, Integer> remaining(Iterator<Row> changes, long most) {
        Map<Row, Integer> copies = new HashMap<>();
        long bytes = 0;
        while (changes.hasNext()) {
            Row row = changes.next();
            RowKind kind = row.getKind();
            int change = kind == RowKind.INSERT || kind == RowKind.UPDATE_AFTER ? 1 : -1;
            row.setKind(RowKind.INSERT); // rows of different kinds are not equal
            copies.merge(row, change, Integer::sum);
            copies.remove(row, 0);
            Float[] features = row.getFieldAs(0);
            bytes += change * 4L * (1 + (features == null ? 0 : features.length));
            if (bytes > most) {
                throw new IllegalArgumentException(
                        "RobustClassifier takes tables of up to 16 MiB, got more: write them to"
                                + " files");
            }
        }
        return copies;
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    @Override
    public void save(String path) throws IOException {
        ReadWriteUtils.saveMetadata(this, path);
    }

    /** Loads a classifier that {@link #save} wrote. */
    public static RobustClassifier load(StreamTableEnvironment tables, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }

    record Sample(int label, float[] features) implements Comparable<Sample> {
        private static final Comparator<Sample> ORDER =
                Comparator.comparingInt(Sample::label)
                        .thenComparing(Sample::features, Arrays::compare);

        static Sample of(Row row) {
            Float[] features = row.getFieldAs(0);
            Double label = row.getFieldAs(1);
            if (features == null
                    || label == null
                    || label < 0
                    || label >= MOST_CLASSES
                    || label != Math.rint(label)
                    || Arrays.asList(features).contains(null)) {
                throw new IllegalArgumentException(
                        "features must not be NULL and labels must be whole numbers from 0 to %d, got %s"
                                .formatted(MOST_CLASSES - 1, row));
            }
            float[] values = new float[features.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = features[i];
            }
            return new Sample(label.intValue(), values);
        }

        @Override
        public int compareTo(Sample other) {
            return ORDER.compare(this, other);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Sample sample && compareTo(sample) == 0;
        }

        @Override
        public int hashCode() {
            return 31 * label + Arrays.hashCode(features);
        }
    }
}
