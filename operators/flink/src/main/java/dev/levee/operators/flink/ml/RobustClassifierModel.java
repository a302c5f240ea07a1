package dev.levee.operators.flink.ml;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.call;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.ml.api.Model;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.functions.ScalarFunction;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A trained {@link RobustClassifier}. It adds a column with the predicted class to a table, bounded
 * or not. The stage contains the model, which is not available as a table.
 */
public final class RobustClassifierModel
        implements Model<RobustClassifierModel>,
                RobustClassifierModelParams<RobustClassifierModel> {
    private static final long serialVersionUID = 1L;
    private static final String FILE = "weights";

    private final Map<Param<?>, Object> params = new HashMap<>();
    private LogisticWeights weights;

    /** Creates an empty model, for loading. */
    public RobustClassifierModel() {
        this(null);
    }

    RobustClassifierModel(LogisticWeights weights) {
        this.weights = weights;
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    @Override
    public Table[] transform(Table... inputs) {
        if (inputs.length != 1) {
            throw new IllegalArgumentException(
                    "RobustClassifierModel transforms one table, got " + inputs.length);
        }
        return new Table[] {
            inputs[0].addColumns(
                    call(
                                    new Predict(weights),
                                    $(get(FEATURES_COL)).cast(DataTypes.ARRAY(DataTypes.FLOAT())))
                            .as(get(PREDICTION_COL)))
        };
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    @Override
    public void save(String path) throws IOException {
        ReadWriteUtils.saveMetadata(this, path);
        Path file = new Path(path, FILE);
        try (DataOutputStream out =
                new DataOutputStream(
                        file.getFileSystem().create(file, FileSystem.WriteMode.NO_OVERWRITE))) {
            weights.write(out);
        }
    }

    /** Loads a model that {@link #save} wrote. */
    public static RobustClassifierModel load(StreamTableEnvironment tables, String path)
            throws IOException {
        RobustClassifierModel model = ReadWriteUtils.loadStageParam(path);
        Path file = new Path(path, FILE);
        try (FSDataInputStream bytes = file.getFileSystem().open(file);
                DataInputStream in = new DataInputStream(bytes)) {
            model.weights = LogisticWeights.read(in);
        }
        return model;
    }

    /** The prediction as a function of the Table API; NULL features have no class. */
    public static final class Predict extends ScalarFunction {
        private static final long serialVersionUID = 1L;

        private final LogisticWeights weights;

        Predict(LogisticWeights weights) {
            this.weights = weights;
        }

        /** The class of a sample. */
        public Integer eval(@DataTypeHint("ARRAY<FLOAT>") Float[] features) {
            if (features == null) {
                return null;
            }
            float[] sample = new float[features.length];
            for (int i = 0; i < sample.length; i++) {
                if (features[i] == null) {
                    return null;
                }
                sample[i] = features[i];
            }
            return weights.predict(sample);
        }
    }
}
