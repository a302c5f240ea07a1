package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.JobView;

/** Words that reasons of decisions share. Formatters are avoided: they make a cold start slow. */
final class Reasons {
    private Reasons() {}

    /** Of a job that gets nothing. */
    static String waits(int minimum) {
        return "waits: its minimum of "
                + minimum
                + " workers does not fit beside the minima of the jobs before it";
    }

    /** From how many workers to how many. */
    static String change(JobView job, int workers) {
        String change =
                job.workers() == workers
                        ? "keeps "
                        : job.running() ? "from " + job.workers() + " to " : "starts with ";
        return change + workers + " workers (" + job.least() + " to " + job.most() + " allowed)";
    }

    /** A number of at least 0 with two decimals. */
    static String hundredths(double value) {
        long hundredths = Math.round(100 * value);
        long rest = hundredths % 100;
        return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest;
    }
}
