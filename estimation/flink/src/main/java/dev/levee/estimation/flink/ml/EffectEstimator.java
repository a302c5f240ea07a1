package dev.levee.estimation.flink.ml;

import dev.levee.connectors.data.NumberTable;
import dev.levee.estimation.EffectModel;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Multiplier;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.Procedure;
import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.Specification;
import dev.levee.estimation.fitting.DoubleMl;
import dev.levee.estimation.flink.EffectColumns;
import dev.levee.estimation.flink.EstimationJob;
import dev.levee.estimation.flink.EstimationPlan;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.ml.api.Estimator;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableImpl;
import org.apache.flink.util.CloseableIterator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Estimates causal effects by double machine learning, as {@code levee estimate} does.
 *
 * <p>{@code fit} runs immediately, as separate jobs on the cluster of the table's environment. It
 * collects the bounded table to the client, without rows that the query has retracted, and sorts
 * the rows so that the estimate does not depend on their order. The table is then serialized with
 * the job that fits. The limit is 16 MiB; write larger tables to files.
 */
public final class EffectEstimator
        implements Estimator<EffectEstimator, EffectEstimatorModel>,
                EffectEstimatorParams<EffectEstimator> {
    private static final long serialVersionUID = 1L;

    private final Map<Param<?>, Object> params = new HashMap<>();

    /** Creates an estimator with the default values of all parameters. */
    public EffectEstimator() {
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    /**
     * Estimates the effects.
     *
     * @throws IllegalArgumentException if parameters or data are wrong; one sentence
     */
    @Override
    public EffectEstimatorModel fit(Table... inputs) {
        if (inputs.length != 1) {
            throw new IllegalArgumentException(
                    "EffectEstimator fits one table, got " + inputs.length);
        }
        settings(get(FOLDS)); // report wrong parameters before the data are read
        NumberTable rows = TableRows.collect(inputs[0]);
        EffectColumns columns =
                new EffectColumns(
                        "",
                        get(OUTCOME_COL),
                        List.of(get(TREATMENT_COLS)),
                        List.of(get(INSTRUMENT_COLS)),
                        List.of(get(COVARIATE_COLS)),
                        List.of(get(CLUSTER_COLS)),
                        List.of(get(FOLD_COLS)));
        int given = columns.givenFolds(rows);
        Specification specification = settings(given == 0 ? get(FOLDS) : given);
        FitTask.Size size = FitTask.Size.of(specification.score());
        EstimationPlan plan = EstimationPlan.of(columns, rows, specification, size);
        TableEnvironment tables = ((TableImpl) inputs[0]).getTableEnvironment();
        EffectEstimatorModel model = new EffectEstimatorModel(estimate(plan, tables), tables);
        ParamUtils.updateExistingParams(model, params);
        return model;
    }

    private Specification settings(int folds) {
        EffectModel model = EffectModel.valueOf(get(MODEL).toUpperCase(Locale.ROOT));
        DoubleMl settings =
                DoubleMl.of(model, null)
                        .learner(get(LEARNER))
                        .procedure(Procedure.valueOf(get(PROCEDURE).toUpperCase(Locale.ROOT)))
                        .folds(folds)
                        .repetitions(get(REPETITIONS))
                        .seed(get(SEED))
                        .trimming(get(TRIMMING))
                        .level(get(LEVEL));
        if (!get(SCORE).isEmpty()) {
            settings.score(model.score(get(SCORE)));
        }
        for (String each : get(LEARNERS)) {
            int equals = each.indexOf('=');
            settings.learner(
                    Nuisance.labelled(each.substring(0, Math.max(0, equals))),
                    each.substring(equals + 1));
        }
        Multiplier multiplier =
                get(BOOTSTRAP).equals("none")
                        ? null
                        : Multiplier.valueOf(get(BOOTSTRAP).toUpperCase(Locale.ROOT));
        return settings.bootstrap(multiplier, get(BOOTSTRAP_DRAWS)).specification();
    }

    private static Estimate estimate(EstimationPlan plan, TableEnvironment tables) {
        Configuration configuration =
                Configuration.fromMap(tables.getConfig().getRootConfiguration().toMap());
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        List<RepetitionEstimate> repetitions = new ArrayList<>();
        try (CloseableIterator<RepetitionEstimate> each =
                EstimationJob.repetitions(environment, plan, "flinkml")
                        .executeAndCollect("EffectEstimator")) {
            each.forEachRemaining(repetitions::add);
        } catch (Exception e) {
            throw new IllegalStateException("the EffectEstimator's job failed", e);
        }
        return plan.estimate(repetitions);
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    @Override
    public void save(String path) throws IOException {
        ReadWriteUtils.saveMetadata(this, path);
    }

    /** Loads an estimator that {@link #save} wrote. */
    public static EffectEstimator load(StreamTableEnvironment tables, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
