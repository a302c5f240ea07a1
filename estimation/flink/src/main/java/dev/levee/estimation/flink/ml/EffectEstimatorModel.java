package dev.levee.estimation.flink.ml;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.lit;

import dev.levee.estimation.Effect;
import dev.levee.estimation.Estimate;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.ml.api.Model;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.ApiExpression;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of {@link EffectEstimator}. The model data are a table of effects: {@code treatment,
 * coefficient, standard_error, t, p, lower, upper, joint_lower, joint_upper}, the last two NULL
 * without a bootstrap. {@code transform} adds a column with the contribution of the treatments to
 * the outcome, Σ coefficient × treatment.
 */
public final class EffectEstimatorModel
        implements Model<EffectEstimatorModel>, EffectEstimatorModelParams<EffectEstimatorModel> {
    private static final long serialVersionUID = 1L;
    private static final String FILE = "effects";
    private static final String[] NUMBERS = {
        "coefficient", "standard_error", "t", "p", "lower", "upper", "joint_lower", "joint_upper"
    };

    private final Map<Param<?>, Object> params = new HashMap<>();

    /** Numbers of each treatment, in the order of {@link #NUMBERS}; NaN if a number is missing. */
    private final Map<String, double[]> effects = new HashMap<>();

    private final List<String> treatments = new ArrayList<>();
    private transient TableEnvironment tables;

    /** For loading: the model data are set later. */
    public EffectEstimatorModel() {
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    EffectEstimatorModel(Estimate estimate, TableEnvironment tables) {
        this();
        this.tables = tables;
        for (Effect each : estimate.effects()) {
            add(
                    each.treatment(),
                    each.coefficient(),
                    each.standardError(),
                    each.t(),
                    each.p(),
                    each.lower(),
                    each.upper(),
                    each.jointLower(),
                    each.jointUpper());
        }
    }

    private void add(String treatment, double... numbers) {
        treatments.add(treatment);
        effects.put(treatment, numbers);
    }

    /** The effect of a treatment. */
    public double coefficient(String treatment) {
        return effects.get(treatment)[0];
    }

    /** The standard error of a treatment's effect. */
    public double standardError(String treatment) {
        return effects.get(treatment)[1];
    }

    @Override
    public Table[] getModelData() {
        DataTypes.Field[] fields = new DataTypes.Field[1 + NUMBERS.length];
        fields[0] = DataTypes.FIELD("treatment", DataTypes.STRING());
        DataType number = DataTypes.DOUBLE();
        for (int j = 0; j < NUMBERS.length; j++) {
            fields[j + 1] = DataTypes.FIELD(NUMBERS[j], number);
        }
        List<Row> rows = new ArrayList<>();
        for (String treatment : treatments) {
            Row row = new Row(fields.length);
            row.setField(0, treatment);
            double[] values = effects.get(treatment);
            for (int j = 0; j < values.length; j++) {
                row.setField(j + 1, Double.isNaN(values[j]) ? null : values[j]);
            }
            rows.add(row);
        }
        return new Table[] {tables.fromValues(DataTypes.ROW(fields), rows)};
    }

    @Override
    public Table[] transform(Table... inputs) {
        if (inputs.length != 1) {
            throw new IllegalArgumentException(
                    "EffectEstimatorModel transforms one table, got " + inputs.length);
        }
        ApiExpression sum = lit(0.0);
        for (String treatment : treatments) {
            sum =
                    sum.plus(
                            $(treatment)
                                    .cast(DataTypes.DOUBLE())
                                    .times(lit(coefficient(treatment))));
        }
        return new Table[] {inputs[0].addColumns(sum.as(get(PREDICTION_COL)))};
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
            out.writeInt(treatments.size());
            for (String treatment : treatments) {
                out.writeUTF(treatment);
                for (double each : effects.get(treatment)) {
                    out.writeDouble(each);
                }
            }
        }
    }

    /** Loads a model that {@link #save} wrote. */
    public static EffectEstimatorModel load(StreamTableEnvironment tables, String path)
            throws IOException {
        EffectEstimatorModel model = ReadWriteUtils.loadStageParam(path);
        model.tables = tables;
        Path file = new Path(path, FILE);
        try (FSDataInputStream bytes = file.getFileSystem().open(file);
                DataInputStream in = new DataInputStream(bytes)) {
            for (int left = in.readInt(); left > 0; left--) {
                String treatment = in.readUTF();
                double[] numbers = new double[NUMBERS.length];
                for (int j = 0; j < numbers.length; j++) {
                    numbers[j] = in.readDouble();
                }
                model.add(treatment, numbers);
            }
        }
        return model;
    }
}
