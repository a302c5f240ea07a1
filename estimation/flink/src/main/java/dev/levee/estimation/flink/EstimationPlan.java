package dev.levee.estimation.flink;

import dev.levee.connectors.data.NumberTable;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.Specification;
import dev.levee.estimation.fitting.CrossFitting;
import dev.levee.estimation.fitting.DataCheck;
import dev.levee.estimation.fitting.RepetitionEstimator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of an estimate's tasks.
 *
 * @param source the source of the data
 * @param specification the specification of the estimate
 * @param size the size of a task
 * @param checksum checksum of the data
 * @param observations number of observations, n
 * @param treatments names of the treatments
 * @param functions the functions that are fitted in each part
 * @param tasks number of tasks
 * @param fits number of fits in all tasks
 */
public record EstimationPlan(
        EffectSource source,
        Specification specification,
        FitTask.Size size,
        long checksum,
        int observations,
        List<String> treatments,
        List<NuisanceFunction> functions,
        int tasks,
        int fits)
        implements Serializable {
    /**
     * Reads and checks data, and creates the plan.
     *
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static EstimationPlan of(
            EffectSource source, Specification specification, FitTask.Size size) {
        return of(source, source.read(), specification, size);
    }

    /**
     * Checks data and creates the plan.
     *
     * @param data the content of the source
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static EstimationPlan of(
            EffectSource source, EffectData data, Specification specification, FitTask.Size size) {
        DataCheck.check(data, specification);
        try (CrossFitting fitting = new CrossFitting(data, specification, size)) {
            fitting.check();
            return new EstimationPlan(
                    source,
                    specification,
                    size,
                    EffectColumns.checksum(data),
                    data.size(),
                    List.copyOf(source.treatments()),
                    fitting.functions(),
                    fitting.tasks(),
                    fitting.fits());
        }
    }

    /**
     * Creates the plan of a job that contains a small table.
     *
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static EstimationPlan of(
            EffectColumns columns,
            NumberTable table,
            Specification specification,
            FitTask.Size size) {
        return of(EffectRows.of(columns, table), specification, size);
    }

    /** Returns the plan with the same data in another place. */
    public EstimationPlan in(EffectSource place) {
        return new EstimationPlan(
                place,
                specification,
                size,
                checksum,
                observations,
                treatments,
                functions,
                tasks,
                fits);
    }

    /** Combines all repetitions, in any order. */
    public Estimate estimate(List<RepetitionEstimate> repetitions) {
        return Estimate.of(observations, treatments, functions, specification, repetitions);
    }

    /** Number of tasks of a repetition. */
    int tasksPerRepetition() {
        return tasks / specification.repetitions();
    }

    /** Number of fits of a task. */
    int fitsPerTask() {
        return fits / tasks;
    }

    EffectData data() {
        return SharedData.of(source, checksum);
    }

    CrossFitting fitting() {
        return new CrossFitting(data(), specification, size);
    }

    RepetitionEstimator estimator() {
        return new RepetitionEstimator(data(), specification, fitting());
    }

    /** Caches the tables that this process has read, so that all its slots share them. */
    private static final class SharedData {
        private static final Logger LOG = LoggerFactory.getLogger(SharedData.class);

        /** By checksum. No key holds a source, because a source can contain its whole table. */
        private static final Map<Long, SoftReference<Held>> READ = new HashMap<>();

        private record Held(EffectSource source, EffectData data) {}

        private SharedData() {}

        /**
         * Returns the data of a source. Other callers wait while the data are read.
         *
         * @param checksum expected checksum
         * @throws IllegalStateException if the table has changed; one sentence
         */
        static synchronized EffectData of(EffectSource source, long checksum) {
            SoftReference<Held> reference = READ.get(checksum);
            Held held = reference == null ? null : reference.get();
            if (held == null || !held.source().equals(source)) {
                held = new Held(source, source.read());
                LOG.info("Read {} for all slots of this process", source.name());
                if (EffectColumns.checksum(held.data()) != checksum) {
                    throw new IllegalStateException(
                            "%s has changed since the estimate was submitted: submit it again"
                                    .formatted(source.name()));
                }
                READ.values().removeIf(each -> each.get() == null);
                READ.put(checksum, new SoftReference<>(held));
            }
            return held.data();
        }
    }
}
