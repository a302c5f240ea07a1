package dev.levee.jobs.internal.report.estimate;

import java.io.Serializable;

/**
 * What fits would cost as calls of a function service, which bills memory times duration (Kurz
 * 2021, table 1): by AWS Lambda's price unless another is given.
 *
 * @param gigabytes that a task is given
 * @param price of a GB-second
 */
public record CostModel(double gigabytes, double price) implements Serializable {
    /** GB-seconds of fits that took so many seconds, all together. */
    public double gbSeconds(double fitSeconds) {
        return gigabytes * fitSeconds;
    }

    /** Their price. */
    public double cost(double fitSeconds) {
        return price * gbSeconds(fitSeconds);
    }
}
