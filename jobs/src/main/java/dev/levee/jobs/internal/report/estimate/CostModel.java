package dev.levee.jobs.internal.report.estimate;

import dev.levee.estimation.Estimate;

import java.io.Serializable;
import java.util.List;

/**
 * Computes the cost of fits on a serverless function service, which bills memory times duration
 * (Kurz 2021, table 1). The default price is that of AWS Lambda.
 *
 * @param gigabytes memory of a task in gigabytes
 * @param price price of a GB-second
 */
public record CostModel(double gigabytes, double price) implements Serializable {
    /**
     * A line of the paper's table.
     *
     * @param scaling what a task is, in the paper's words
     * @param tasks number of tasks
     * @param meanSeconds mean duration of a task
     * @param longestSeconds longest duration of a task, which is also that of all tasks in
     *     parallel; NaN if not measured
     * @param gbSeconds GB-seconds of all tasks
     * @param cost cost of all tasks
     */
    public record Scaling(
            String scaling,
            int tasks,
            double meanSeconds,
            double longestSeconds,
            double gbSeconds,
            double cost) {}

    /** The lines for both sizes of a task, of which one was measured. */
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

    /** The GB-seconds of fits that took this many seconds in total. */
    double gbSeconds(double fitSeconds) {
        return gigabytes * fitSeconds;
    }

    /** The price of fits that took this many seconds in total. */
    double cost(double fitSeconds) {
        return price * gbSeconds(fitSeconds);
    }
}
