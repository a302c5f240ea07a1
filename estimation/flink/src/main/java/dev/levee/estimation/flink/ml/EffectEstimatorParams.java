package dev.levee.estimation.flink.ml;

import dev.levee.estimation.Specification;

import org.apache.flink.ml.param.DoubleParam;
import org.apache.flink.ml.param.IntParam;
import org.apache.flink.ml.param.LongParam;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.param.ParamValidators;
import org.apache.flink.ml.param.StringArrayParam;
import org.apache.flink.ml.param.StringParam;

/**
 * Parameters of {@link EffectEstimator}; set them with {@code set(PARAM, value)}. Names and values
 * are those of {@code levee estimate}.
 *
 * @param <T> the stage
 */
public interface EffectEstimatorParams<T> extends EffectEstimatorModelParams<T> {
    /** Column of the outcome. */
    Param<String> OUTCOME_COL =
            new StringParam("outcomeCol", "Column of the outcome.", "y", ParamValidators.notNull());

    /** Columns of covariates. */
    Param<String[]> COVARIATE_COLS =
            new StringArrayParam(
                    "covariateCols", "Columns of covariates; none for all others.", new String[0]);

    /** Columns of instruments. */
    Param<String[]> INSTRUMENT_COLS =
            new StringArrayParam("instrumentCols", "Columns of instruments.", new String[0]);

    /** Columns of clusters. */
    Param<String[]> CLUSTER_COLS =
            new StringArrayParam("clusterCols", "Columns of clusters, two at most.", new String[0]);

    /** Columns of given folds. */
    Param<String[]> FOLD_COLS =
            new StringArrayParam(
                    "foldCols", "Columns of given folds; none to draw them.", new String[0]);

    /** The model. */
    Param<String> MODEL =
            new StringParam(
                    "model",
                    "What is assumed.",
                    "plr",
                    ParamValidators.inArray("plr", "pliv", "irm", "iivm"));

    /** The score. */
    Param<String> SCORE = new StringParam("score", "The score; empty for the model's first.", "");

    /** The procedure. */
    Param<String> PROCEDURE =
            new StringParam(
                    "procedure",
                    "How folds become one estimate.",
                    "dml2",
                    ParamValidators.inArray("dml1", "dml2"));

    /** Learner of all nuisance functions that {@link #LEARNERS} does not name. */
    Param<String> LEARNER =
            new StringParam(
                    "learner",
                    "Learner of nuisance functions.",
                    "linear",
                    ParamValidators.notNull());

    /** Learners of single nuisance functions. */
    Param<String[]> LEARNERS =
            new StringArrayParam(
                    "learners",
                    "Learners of single nuisance functions, such as ml_m=logistic.",
                    new String[0]);

    /** Number of folds. */
    Param<Integer> FOLDS =
            new IntParam("folds", "Folds of a sample split.", 5, ParamValidators.gtEq(2));

    /** Number of sample splits. */
    Param<Integer> REPETITIONS =
            new IntParam("repetitions", "Sample splits.", 1, ParamValidators.gt(0));

    /** Seed of folds, fits and bootstrap. */
    Param<Long> SEED = new LongParam("seed", "Seed of folds, fits and bootstrap.", 1L);

    /** The smallest distance of propensities from 0 and 1. */
    Param<Double> TRIMMING =
            new DoubleParam(
                    "trimming",
                    "Propensities are kept this far from 0 and 1.",
                    Specification.TRIMMING,
                    ParamValidators.inRange(0, 0.5, false, false));

    /** Level of confidence intervals. */
    Param<Double> LEVEL =
            new DoubleParam(
                    "level",
                    "Level of confidence intervals.",
                    0.95,
                    ParamValidators.inRange(0, 1, false, false));

    /** Weights of the bootstrap for joint intervals. */
    Param<String> BOOTSTRAP =
            new StringParam(
                    "bootstrap",
                    "Weights of the bootstrap for joint intervals; none for no such intervals.",
                    "none",
                    ParamValidators.inArray("none", "normal", "wild", "bayes"));

    /** Draws of the bootstrap. */
    Param<Integer> BOOTSTRAP_DRAWS =
            new IntParam(
                    "bootstrapDraws",
                    "Draws of the bootstrap.",
                    Specification.DRAWS,
                    ParamValidators.gt(0));
}
