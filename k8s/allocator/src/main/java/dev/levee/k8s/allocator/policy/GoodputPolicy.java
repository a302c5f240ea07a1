package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Goodput;
import dev.levee.k8s.allocator.internal.MustRun;
import dev.levee.k8s.allocator.internal.Offer;
import dev.levee.k8s.allocator.internal.Sale;
import dev.levee.k8s.allocator.internal.Sizes;
import dev.levee.k8s.allocator.internal.SlotPrice;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * ERA by goodput: workers and batch of each job by the progress that they make, shared at one price
 * for a slot. A round of a job is worth what it would cost at the price that is expected when the
 * job ends, which is lower the longer it still takes. docs/elasticity.md has the reasoning.
 */
final class GoodputPolicy implements Policy {
    /** Seconds in which prices are expected to fall to 1/e. */
    private static final double DECAY_SECONDS = 10_000;

    /** A change is expected to hold for so many decisions or pauses. */
    private static final double HOLD = 3;

    /** A pause where no job has had one yet. */
    private static final double PAUSE_SECONDS = 30;

    private final String name;
    private final double decisionSeconds;
    private final boolean declared;
    private final double longestWait;

    GoodputPolicy(String name, double decisionSeconds, boolean declared, double longestWait) {
        this.name = name;
        this.decisionSeconds = decisionSeconds;
        this.declared = declared;
        this.longestWait = longestWait;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean packs() {
        return true;
    }

    @Override
    public int startBatch(JobSpec job) {
        BatchRange range = job.batches();
        long share = (range.reference() + job.startWorkers() - 1) / job.startWorkers();
        return (int) Math.max(range.leastLocal(), share);
    }

    /** One job of a decision. */
    private final class Candidate {
        final JobView job;
        final Goodput goodput;
        final Bid bid;
        final double pause;

        Candidate(JobView job, Snapshot snapshot, double pause, boolean mayWait) {
            this.job = job;
            this.pause = pause;
            goodput = new Goodput(job);
            Sizes sizes = Sizes.of(job, snapshot.slotsPerNode(), snapshot.slots());
            double[] rates = new double[sizes.workers().length];
            for (int i = 0; i < rates.length; i++) {
                int n = sizes.workers()[i];
                rates[i] = goodput.best(n, nodes(n, snapshot)).rate();
            }
            bid = new Bid(sizes.workers(), rates, sizes.tried(), mayWait, left());
        }

        private double left() {
            if (!goodput.measured()) {
                return 0;
            }
            double left = job.progress().left();
            if (declared && left > 0) {
                return left;
            }
            double made = job.progress().rounds();
            return made > 0 ? made : 0;
        }

        /** Share of the time that a change is expected to hold which its pause leaves. */
        double staysAfterMove(double rate) {
            double hold = HOLD * Math.max(decisionSeconds, pause);
            if (declared && goodput.measured() && job.progress().left() > 0) {
                hold = Math.min(hold, pause + job.progress().left() / rate);
            }
            return 1 - pause / hold;
        }
    }

    private static int nodes(int workers, Snapshot snapshot) {
        int perNode = snapshot.slotsPerNode();
        return perNode == 0 ? 1 : (workers + perNode - 1) / perNode;
    }

    @Override
    public List<Decision> decide(Snapshot snapshot) {
        double usual = usualPause(snapshot);
        Set<String> running = MustRun.of(snapshot, longestWait);
        List<Candidate> candidates = new ArrayList<>();
        List<Bid> bids = new ArrayList<>();
        for (JobView job : snapshot.jobs()) {
            double pause = Double.isNaN(job.pauseSeconds()) ? usual : job.pauseSeconds();
            Candidate candidate = new Candidate(job, snapshot, pause, !running.contains(job.id()));
            candidates.add(candidate);
            bids.add(candidate.bid);
        }
        double price = SlotPrice.of(bids, snapshot.slots(), DECAY_SECONDS);
        List<Offer> offers = new ArrayList<>();
        for (Candidate each : candidates) {
            offers.add(offer(each, price));
        }
        int[] chosen = Sale.share(offers, snapshot.slots());
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            decisions.add(
                    decision(
                            candidates.get(i),
                            offers.get(i).workers()[chosen[i]],
                            price,
                            snapshot));
        }
        return decisions;
    }

    private static double usualPause(Snapshot snapshot) {
        double sum = 0;
        int known = 0;
        for (JobView job : snapshot.jobs()) {
            if (!Double.isNaN(job.pauseSeconds())) {
                sum += job.pauseSeconds();
                known++;
            }
        }
        return known == 0 ? PAUSE_SECONDS : sum / known;
    }

    private Offer offer(Candidate candidate, double price) {
        Bid bid = candidate.bid;
        int none = bid.mayWait() ? 1 : 0;
        int[] workers = new int[bid.tried() + none];
        double[] values = new double[workers.length];
        double worth = bid.worth(price, DECAY_SECONDS);
        for (int i = 0; i < bid.tried(); i++) {
            workers[i + none] = bid.workers()[i];
            values[i + none] = worth * net(candidate, bid.workers()[i], bid.goodput()[i]);
        }
        return new Offer(workers, values);
    }

    /** Goodput less what it costs to get there. */
    private double net(Candidate candidate, int workers, double compact) {
        JobView job = candidate.job;
        if (!job.running()) {
            return compact;
        }
        double moved = compact * candidate.staysAfterMove(compact);
        return workers == job.workers() ? Math.max(moved, present(candidate, compact)) : moved;
    }

    private static double present(Candidate candidate, double compact) {
        JobView job = candidate.job;
        if (job.nodes() == 0) {
            return compact;
        }
        return candidate.goodput.best(job.workers(), job.nodes()).rate();
    }

    private Decision decision(Candidate candidate, int workers, double price, Snapshot snapshot) {
        JobView job = candidate.job;
        if (workers == 0) {
            return new Decision(job.id(), 0, job.localBatch(), job.spec().learningRate(), "waits");
        }
        int nodes = nodes(workers, snapshot);
        boolean moves = false;
        if (workers == job.workers()) {
            double compact = candidate.goodput.best(workers, nodes).rate();
            moves = compact * candidate.staysAfterMove(compact) > present(candidate, compact);
            nodes = moves || job.nodes() == 0 ? nodes : job.nodes();
        }
        Goodput.Choice choice = candidate.goodput.best(workers, nodes);
        return new Decision(
                job.id(),
                workers,
                choice.localBatch(),
                LearningRateRule.LINEAR.of(job.spec(), workers, choice.localBatch()),
                "price " + price,
                0,
                moves);
    }
}
