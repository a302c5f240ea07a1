package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Goodput;
import dev.levee.k8s.allocator.internal.MustRun;
import dev.levee.k8s.allocator.internal.Offer;
import dev.levee.k8s.allocator.internal.SlotPrice;
import dev.levee.k8s.allocator.internal.SlotPricing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * ERA by goodput: it chooses workers and batch of each job by their progress, at one price per slot
 * for all jobs. The value of a job's round is its cost at the price that is expected when the job
 * ends; this price is lower for longer jobs. docs/architecture/allocation.md explains it.
 *
 * @param useDeclared true to use the ends that users declared
 * @param longestWait seconds after which a waiting job must run; 0 if running jobs are never
 *     suspended
 * @param decisionSeconds time between decisions
 */
record GoodputPolicy(
        String name,
        Objective objective,
        boolean useDeclared,
        double longestWait,
        double decisionSeconds)
        implements Policy {
    /** Seconds in which prices are expected to fall to 1/e. */
    private static final double DECAY_SECONDS = 10_000;

    /**
     * A change is expected to last this many times the time between decisions, or the pause if
     * longer.
     */
    private static final double HOLD = 3;

    /** Assumed pause in seconds if no job has had one yet. */
    private static final double PAUSE_SECONDS = 30;

    @Override
    public boolean packs() {
        return true;
    }

    @Override
    public boolean usesLengths() {
        return useDeclared;
    }

    @Override
    public boolean limitsWaits() {
        return true;
    }

    @Override
    public boolean choosesBatch() {
        return true;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        List<Candidate> candidates = candidates(snapshot);
        List<Bid> bids = candidates.stream().map(Candidate::bid).toList();
        List<SlotClass> classes = snapshot.classes();
        double price = SlotPrice.of(bids, units(classes), DECAY_SECONDS);
        List<Offer> offers = new ArrayList<>();
        for (Candidate each : candidates) {
            offers.add(
                    objective.offer(
                            each,
                            each.bid().worth(price, DECAY_SECONDS),
                            each.options(SlotPrice.isFree(price))));
        }
        int[] slots = classes.stream().mapToInt(SlotClass::slots).toArray();
        SlotPricing sale = SlotPricing.of(offers, slots);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < offers.size(); i++) {
            Offer offer = offers.get(i);
            int size = sale.sizes()[i];
            decisions.add(
                    offer.workers()[size] == 0
                            ? waits(candidates.get(i).job(), offer, sale.prices())
                            : runs(candidates.get(i), offer, size, sale.prices(), classes));
        }
        return decisions;
    }

    private List<Candidate> candidates(Snapshot snapshot) {
        Set<String> mustRun = MustRun.of(snapshot, longestWait);
        double usual = usualPause(snapshot);
        List<Candidate> candidates = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            double pause = Double.isNaN(job.pauseSeconds()) ? usual : job.pauseSeconds();
            candidates.add(
                    new Candidate(
                            job,
                            snapshot,
                            useDeclared,
                            pause,
                            HOLD * Math.max(decisionSeconds, pause),
                            !mustRun.contains(job.id())));
        }
        return candidates;
    }

    /** Median of the known pauses, so that a single job cannot affect the others much. */
    private static double usualPause(Snapshot snapshot) {
        double[] known =
                snapshot.jobs().stream()
                        .mapToDouble(JobView::pauseSeconds)
                        .filter(pause -> !Double.isNaN(pause))
                        .sorted()
                        .toArray();
        return known.length == 0 ? PAUSE_SECONDS : known[known.length / 2];
    }

    /** Number of slots of the fastest class that would compute as much as all slots. */
    private static double units(List<SlotClass> classes) {
        double sum = 0;
        for (SlotClass each : classes) {
            sum += each.slots() * (each.speed() / classes.get(0).speed());
        }
        return sum;
    }

    private static Decision waits(JobView job, Offer offer, double[] prices) {
        return new Decision(
                job.id(),
                0,
                job.localBatch(),
                job.spec().bounds().learningRate(),
                GoodputReasons.waits(offer, prices));
    }

    private static Decision runs(
            Candidate candidate, Offer offer, int size, double[] prices, List<SlotClass> classes) {
        JobView job = candidate.job();
        int workers = offer.workers()[size];
        int slotClass = offer.classes()[size];
        double slowest = classes.size() == 1 ? 0 : classes.get(slotClass).speed();
        Goodput.Choice choice = candidate.choice(workers, slotClass);
        return new Decision(
                job.id(),
                workers,
                choice.localBatch(),
                LearningRateRule.LINEAR.of(job.spec(), workers, choice.localBatch()),
                GoodputReasons.runs(candidate, choice, offer, size, prices[slotClass], slowest),
                slowest,
                candidate.stays(workers, slotClass) && candidate.moves());
    }
}
