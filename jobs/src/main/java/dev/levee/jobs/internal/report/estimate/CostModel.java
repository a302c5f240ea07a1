package dev.levee.jobs.internal.report.estimate;

import dev.levee.estimation.Estimate;

import java.io.Serializable;
import java.util.List;

/**
 * The cost of fits as calls of a function service, which bills memory times duration (Kurz 2021,
 * table 1): by AWS Lambda's price unless another is given.
 *
 * @param gigabytes that a task is given
 * @param price of a GB-second
 */
public record CostModel(double gigabytes, double price) implements Serializable {
    /**
     * A line of the paper's table.
     *
     * @param scaling the unit of a task, as the paper calls it
     * @param tasks how many there are
     * @param meanSeconds of a task
     * @param longestSeconds of a task, and so of all of them at once; NaN if it was not measured
     * @param gbSeconds of all tasks
     * @param cost of all tasks
     */
    public record Scaling(
            String scaling,
            int tasks,
            double meanSeconds,
            double longestSeconds,
            double gbSeconds,
            double cost) {}

    /** Both choices of a task's size, of which one was measured. */
    public List<Scaling> scalings(Estimate estimate) {
        boolean folds = estimate.times().count() == estimate.fits();
        int treatments = estimate.effects().size();
        double longest = estimate.times().longest();
        double whole = treatments == 1 ? estimate.longestRepetition() : Double.NaN;
        return List.of(
                scaling(
                        "n_folds × n_rep",
                        estimate.fits(),
                        estimate.times().seconds(),
                        folds ? longest : Double.NaN),
                scaling(
                        "n_rep",
                        estimate.specification().repetitions() * treatments,
                        estimate.times().seconds(),
                        folds ? whole : longest));
    }

    private Scaling scaling(String name, int tasks, double seconds, double longest) {
        return new Scaling(
                name, tasks, seconds / tasks, longest, gbSeconds(seconds), cost(seconds));
    }

    /** GB-seconds of fits that took so many seconds, all together. */
    double gbSeconds(double fitSeconds) {
        return gigabytes * fitSeconds;
    }

    /** Their price. */
    double cost(double fitSeconds) {
        return price * gbSeconds(fitSeconds);
    }
}
