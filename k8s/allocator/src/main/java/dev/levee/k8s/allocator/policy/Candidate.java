package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Goodput;
import dev.levee.k8s.allocator.internal.SizeOptions;
import dev.levee.k8s.allocator.internal.Sizes;

import java.util.List;

/** A job in a decision by goodput: the value of workers to this job, and its cost of moving. */
final class Candidate {
    private final JobView job;
    private final Goodput goodput;
    private final Bid bid;
    private final List<SlotClass> classes;
    private final int slotsPerNode;
    private final double pause;
    private final double hold;

    /** Rounds left to the end that the user declared; 0 if the declaration is not used. */
    private final double declared;

    /** The slowest class of the job's current slots. */
    private final int presentClass;

    /** The best batch on its current slots; null if the job does not run. */
    private final Goodput.Choice present;

    private final boolean moves;

    /**
     * Creates a candidate.
     *
     * @param useDeclared true to use the time left to the declared end
     * @param pause seconds of its pause when its workers change
     * @param hold seconds that a change is expected to last
     * @param mayWait false if the job must run
     */
    Candidate(
            JobView job,
            Snapshot snapshot,
            boolean useDeclared,
            double pause,
            double hold,
            boolean mayWait) {
        this.job = job;
        this.pause = pause;
        this.hold = hold;
        slotsPerNode = snapshot.slotsPerNode();
        classes = snapshot.classes();
        goodput = new Goodput(job, fastest());
        presentClass = slotClass(job.speed());
        present =
                job.running()
                        ? goodput.best(job.workers(), presentNodes(), relative(presentClass))
                        : null;
        declared = useDeclared && goodput.measured() ? Math.max(0, job.progress().left()) : 0;
        Sizes sizes = Sizes.of(job, slotsPerNode, snapshot.slots());
        SizeOptions options = SizeOptions.of(sizes, classes);
        double[] rates = new double[options.workers().length];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = compact(options.workers()[i], options.classes()[i]).rate();
        }
        bid = new Bid(options, rates, mayWait, left());
        moves =
                presentNodes() > nodes(job.workers())
                        && afterMove(compact(job.workers(), presentClass).rate()) > present.rate();
    }

    private double fastest() {
        return classes.get(0).speed();
    }

    /** The job's speed on a class, relative to the fastest class. */
    private double relative(int slotClass) {
        return goodput.relative(classes.get(slotClass).speed());
    }

    /** The slowest class that is at least as fast as the job's slots at the last measurement. */
    private int slotClass(double speed) {
        int found = classes.size() - 1;
        while (found > 0 && classes.get(found).speed() < speed) {
            found--;
        }
        return found;
    }

    /** Rounds left. Without a declared end, or beyond it, a job is assumed to be half done. */
    private double left() {
        if (declared > 0) {
            return declared;
        }
        double made = job.progress().rounds();
        return goodput.measured() && made > 0 ? made : 0;
    }

    JobView job() {
        return job;
    }

    Bid bid() {
        return bid;
    }

    /**
     * Number of options that the job may get. If slots are left over, it need not grow in steps: if
     * it gains too little, the next decision can give them to others.
     */
    int options(boolean slotsAreFree) {
        SizeOptions all = bid.options();
        return slotsAreFree && goodput.measured() ? all.workers().length : all.tried();
    }

    private int nodes(int workers) {
        return job.nodes(workers, slotsPerNode);
    }

    /** Goodput of an option, minus the cost of changing to it. */
    double net(int option) {
        double rate = bid.goodput()[option];
        if (!job.running()) {
            return rate;
        }
        double moved = afterMove(rate);
        SizeOptions all = bid.options();
        return stays(all.workers()[option], all.classes()[option])
                ? Math.max(moved, present.rate())
                : moved;
    }

    /** True if the job already has this number of workers on this class of slots. */
    boolean stays(int workers, int slotClass) {
        return workers == job.workers() && slotClass == presentClass;
    }

    /** True if moving to fewer nodes pays, with the same workers and class of slots. */
    boolean moves() {
        return moves;
    }

    /** The best batch for a number of workers on the nodes that the job will have. */
    Goodput.Choice choice(int workers, int slotClass) {
        return stays(workers, slotClass) && !moves ? present : compact(workers, slotClass);
    }

    private Goodput.Choice compact(int workers, int slotClass) {
        return goodput.best(workers, nodes(workers), relative(slotClass));
    }

    private int presentNodes() {
        return job.nodes() == 0 ? nodes(job.workers()) : job.nodes();
    }

    /** A rate minus the cost of the pause, spread over the time that the change lasts. */
    private double afterMove(double rate) {
        double holds = declared > 0 ? Math.min(hold, pause + declared / rate) : hold;
        return rate * (1 - pause / holds);
    }
}
