package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.internal.Goodput;
import dev.levee.k8s.allocator.internal.Offer;

/** Explains decisions by goodput in words: the number of workers, the batch, and the bids. */
final class GoodputReasons {
    private GoodputReasons() {}

    /** The reason for a job that gets no workers. */
    static String waits(Offer offer, double[] prices) {
        int best = offer.best(prices, 1);
        int workers = offer.workers()[best];
        return "waits: it bids %s for %s%sand slots go for %s each"
                .formatted(
                        Reasons.threeDigits(offer.values()[best]),
                        workers,
                        workers == 1 ? " worker, " : " workers, ",
                        Reasons.threeDigits(prices[offer.classes()[best]]));
    }

    /** The reason for a job that runs. */
    static String runs(
            Candidate candidate,
            Goodput.Choice choice,
            Offer offer,
            int size,
            double price,
            double slowest) {
        JobView job = candidate.job();
        int workers = offer.workers()[size];
        StringBuilder why = new StringBuilder(200);
        why.append(job.workers() == workers ? "keeps " : job.running() ? "from " : "starts with ");
        if (job.running() && job.workers() != workers) {
            why.append(job.workers()).append(" to ");
        }
        why.append(workers)
                .append(workers == 1 ? " worker (" : " workers (")
                .append(job.least())
                .append(" to ")
                .append(job.mostAtAnyBatch())
                .append(" allowed)");
        if (slowest > 0) {
            why.append(" on slots of speed ")
                    .append(Reasons.hundredths(slowest))
                    .append(" or more");
        }
        if (job.memory().history().isEmpty()) {
            return why.append(" until it is measured; batch ")
                    .append((long) workers * choice.localBatch())
                    .toString();
        }
        if (candidate.stays(workers, offer.classes()[size]) && candidate.moves()) {
            why.append(", moved from ").append(job.nodes()).append(" nodes to fewer");
        }
        why.append(": bids ").append(Reasons.threeDigits(offer.values()[size])).append(" for ");
        why.append(Reasons.threeDigits(choice.rate())).append(" rounds of progress/s");
        why.append(", slots go for ").append(Reasons.threeDigits(price)).append(" each; ");
        return batch(why, job, choice, workers).toString();
    }

    private static StringBuilder batch(
            StringBuilder why, JobView job, Goodput.Choice choice, int workers) {
        long batch = (long) workers * choice.localBatch();
        long reference = job.spec().batches().reference();
        why.append("batch ").append(batch);
        if (choice.passes() > 1) {
            why.append(" in ").append(choice.passes()).append(" passes");
        }
        double noise = job.progress().noiseScale();
        if (Double.isNaN(noise)) {
            return why.append(", the least it may have: its noise scale is unknown");
        }
        if (Double.isInfinite(noise)) {
            return why.append(", and progress grows with it");
        }
        return why.append(" counts as ")
                .append(Reasons.threeDigits(job.progress().gain(batch, reference)))
                .append(" rounds at ")
                .append(reference)
                .append(", with a noise scale of ")
                .append(Reasons.threeDigits(noise));
    }
}
