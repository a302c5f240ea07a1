package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.JobView;

/**
 * Phrases and number formats for the reasons of decisions. It avoids formatters, which make a cold
 * start slow.
 */
final class Reasons {
    private Reasons() {}

    /** The reason for a job that gets no workers. */
    static String waits(int minimum) {
        return "waits: its minimum of %s workers does not fit next to the minimums of the jobs before it"
                .formatted(minimum);
    }

    /** The change of the number of workers, in words. */
    static String change(JobView job, int workers) {
        String change =
                job.workers() == workers
                        ? "keeps "
                        : job.running() ? "from " + job.workers() + " to " : "starts with ";
        return change + workers + " workers (" + job.least() + " to " + job.most() + " allowed)";
    }

    /** Formats a number of at least 0 with two decimals. */
    static String hundredths(double value) {
        long hundredths = Math.round(100 * value);
        long rest = hundredths % 100;
        return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest;
    }

    /** Formats a number with three significant digits, in plain notation between 1e-6 and 1e15. */
    static String threeDigits(double value) {
        if (value < 0) {
            return "-" + threeDigits(-value);
        }
        if (!(value < 1e15)) {
            return Double.isNaN(value) ? "unknown" : "very many";
        }
        if (value < 1e-6) {
            return "0";
        }
        int decimals = 0;
        long scale = 1;
        while (value * scale < 99.5 && decimals < 8) {
            scale *= 10;
            decimals++;
        }
        long rounded = Math.round(value * scale);
        if (decimals == 0) {
            return Long.toString(rounded);
        }
        String rest = Long.toString(rounded % scale + scale); // keeps leading zeros
        return rounded / scale + "." + rest.substring(1);
    }
}
