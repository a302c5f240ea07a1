package dev.levee.operators.flink.ml;

import org.apache.flink.ml.param.DoubleParam;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.LongParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringParam;

/**
 * Parameters of {@link RobustClassifier}; set them with {@code set(PARAM, value)}.
 *
 * @param <T> the stage
 */
public interface RobustClassifierParams<T> extends RobustClassifierModelParams<T> {
    /** Column of the class, a whole number from 0 to 999,999. */
    Param<String> LABEL_COL =
            new StringParam("labelCol", "Column of the class.", "label", ParamValidators.notNull());

    /** The rule or pipeline. */
    Param<String> RULE =
            new StringParam("rule", "Aggregation rule.", "multi-krum", ParamValidators.notNull());

    /** Number of workers, n. */
    Param<Integer> WORKERS =
            new IntParam("workers", "Number of workers, n.", 7, ParamValidators.gt(0));

    /** Number of Byzantine workers that the rule tolerates, f. */
    Param<Integer> BYZANTINE =
            new IntParam("byzantine", "Byzantine workers, f.", 2, ParamValidators.gtEq(0));

    /** Number of workers that attack, for experiments. */
    Param<Integer> ATTACKERS =
            new IntParam("attackers", "Workers that attack.", 0, ParamValidators.gtEq(0));

    /** The attack of these workers. */
    Param<String> ATTACK =
            new StringParam("attack", "The attack.", "sign-flip", ParamValidators.notNull());

    /** Number of rounds. */
    Param<Integer> ROUNDS = new IntParam("rounds", "Number of rounds.", 100, ParamValidators.gt(0));

    /** Samples per worker and round. */
    Param<Integer> BATCH_SIZE =
            new IntParam("batchSize", "Samples per worker and round.", 16, ParamValidators.gt(0));

    /** Step size. */
    Param<Double> LEARNING_RATE =
            new DoubleParam("learningRate", "Step size.", 0.1, ParamValidators.gt(0));

    /** Seed of all random choices. */
    Param<Long> SEED = new LongParam("seed", "Seed of everything drawn.", 1L);
}
