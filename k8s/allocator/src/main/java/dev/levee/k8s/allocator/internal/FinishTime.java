package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;

import java.time.Duration;

/**
 * Finish-time fairness of a job that still runs or waits (Mahajan et al., "Themis", NSDI 2020): the
 * time from its submission to its end, over the time that it would take on a cluster of its own
 * with an equal share of the slots. Both times are predictions from the job's measurements.
 */
public final class FinishTime {
    private final JobView job;
    private final Policy policy;
    private final Goodput goodput;
    private final double share;
    private final double speed;
    private final int slotsPerNode;

    private FinishTime(JobView job, Snapshot snapshot, Policy policy) {
        this.job = job;
        this.policy = policy;
        double fastest = snapshot.classes().get(0).speed();
        goodput = new Goodput(job, fastest);
        share = snapshot.slots() / job.memory().contention().mean();
        slotsPerNode = snapshot.slotsPerNode();
        double sum = 0;
        for (SlotClass each : snapshot.classes()) {
            sum += each.slots() * goodput.relative(each.speed());
        }
        speed = sum / snapshot.slots();
    }

    /**
     * ρ of a job that has its equal share from now on: the slots divided by the mean number of jobs
     * since its submission. If the policy does not know remaining times, the job is assumed to end
     * now.
     *
     * @param policy the policy that the job would have on its share
     * @param leastSeconds lower limit of a job's assumed duration
     */
    public static double rho(JobView job, Snapshot snapshot, Policy policy, double leastSeconds) {
        FinishTime times = new FinishTime(job, snapshot, policy);
        double passed = Duration.between(job.spec().submitted(), snapshot.now()).toMillis() / 1e3;
        Progress progress = job.progress();
        boolean known = times.goodput.measured() && progress.rounds() >= 0;
        double rate = known ? times.rate() : 0;
        double made =
                known
                        ? progress.rounds() / rate
                        : job.memory().workerSeconds() / Math.min(times.share, times.most());
        double left =
                known && policy.usesLengths() && progress.left() > 0 ? progress.left() / rate : 0;
        return (passed + left) / (Math.max(made, leastSeconds) + left);
    }

    /** Fewest workers with which a job runs under a policy. */
    public static int need(JobView job, Policy policy) {
        return policy.elastic() ? job.least() : job.start();
    }

    private int most() {
        if (!policy.elastic()) {
            return job.start();
        }
        return policy.choosesBatch() ? job.mostAtAnyBatch() : job.most();
    }

    /** Rounds of progress per second on the share. */
    private double rate() {
        int need = need(job, policy);
        if (share <= need) {
            return rate(need) * share / need;
        }
        double workers = Math.min(share, most());
        int below = (int) workers;
        double part = workers - below;
        double above = part > 0 ? rate(below + 1) : 0;
        double rate = (1 - part) * rate(below) + part * above;
        // If more workers are slower, the job would use fewer.
        for (int fewer = below / 2; fewer >= need; fewer /= 2) {
            rate = Math.max(rate, rate(fewer));
        }
        return rate;
    }

    private double rate(int workers) {
        int nodes = job.nodes(workers, slotsPerNode);
        return policy.choosesBatch()
                ? goodput.best(workers, nodes, speed).rate()
                : goodput.rate(workers, nodes, speed, (double) workers * job.localBatch());
    }
}
