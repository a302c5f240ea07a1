package dev.levee.estimation.flink.ml;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/**
 * Parameters of {@link EffectEstimatorModel}.
 *
 * @param <T> the stage
 */
public interface EffectEstimatorModelParams<T> extends WithParams<T> {
    /** Columns of treatments. */
    Param<String[]> TREATMENT_COLS =
            new StringArrayParam(
                    "treatmentCols",
                    "Columns of treatments.",
                    new String[] {"d"},
                    ParamValidators.nonEmptyArray());

    /** Name of the DOUBLE column that {@code transform} adds. */
    Param<String> PREDICTION_COL =
            new StringParam(
                    "predictionCol",
                    "Column of what treatments add to the outcome.",
                    "effect",
                    ParamValidators.notNull());
}
