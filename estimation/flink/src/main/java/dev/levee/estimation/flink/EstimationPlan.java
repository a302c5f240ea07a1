package dev.levee.estimation.flink;

import dev.levee.estimation.CrossFitting;
import dev.levee.estimation.DataCheck;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.RepetitionEstimator;
import dev.levee.estimation.Specification;

import java.io.Serializable;
import java.util.List;

/**
 * All that an estimate's tasks need to know.
 *
 * @param columns of the data
 * @param specification how to estimate
 * @param size of a task
 * @param checksum of the data
 * @param observations n
 * @param treatments their names
 * @param tasks how many there are
 * @param fits how many fits these have
 */
public record EstimationPlan(
        EffectColumns columns,
        Specification specification,
        FitTask.Size size,
        long checksum,
        int observations,
        List<String> treatments,
        int tasks,
        int fits)
        implements Serializable {
    /**
     * Reads and checks data and makes the plan.
     *
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static EstimationPlan of(
            EffectColumns columns, Specification specification, FitTask.Size size) {
        return of(columns, columns.read(), specification, size);
    }

    /**
     * Checks data and makes the plan.
     *
     * @param data content of the columns
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static EstimationPlan of(
            EffectColumns columns,
            EffectData data,
            Specification specification,
            FitTask.Size size) {
        DataCheck.check(data, specification);
        CrossFitting fitting = new CrossFitting(data, specification, size);
        return new EstimationPlan(
                columns,
                specification,
                size,
                EffectColumns.checksum(data),
                data.size(),
                List.copyOf(columns.treatments()),
                fitting.tasks(),
                fitting.fits());
    }

    /** Tasks of a repetition. */
    int tasksPerRepetition() {
        return tasks / specification.repetitions();
    }

    /** Fits of a task. */
    int fitsPerTask() {
        return fits / tasks;
    }

    EffectData data() {
        return SharedData.of(columns, checksum);
    }

    CrossFitting fitting() {
        return new CrossFitting(data(), specification, size);
    }

    RepetitionEstimator estimator() {
        return new RepetitionEstimator(data(), specification, fitting());
    }
}
