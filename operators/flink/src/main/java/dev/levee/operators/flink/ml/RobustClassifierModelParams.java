package dev.levee.operators.flink.ml;

import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringParam;
import org.apache.flink.ml.param.WithParams;

/**
 * Parameters of {@link RobustClassifierModel}.
 *
 * @param <T> the stage
 */
public interface RobustClassifierModelParams<T> extends WithParams<T> {
    /** Column of the features, an array of FLOAT or DOUBLE. */
    Param<String> FEATURES_COL =
            new StringParam(
                    "featuresCol",
                    "Column of the features.",
                    "features",
                    ParamValidators.notNull());

    /** Name of the added column with predictions, an INT. */
    Param<String> PREDICTION_COL =
            new StringParam(
                    "predictionCol",
                    "Column of the prediction.",
                    "prediction",
                    ParamValidators.notNull());
}
