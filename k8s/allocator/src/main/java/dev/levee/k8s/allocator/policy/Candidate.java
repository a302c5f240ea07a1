package dev.levee.k8s.allocator.policy;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.internal.Bid;
import dev.levee.k8s.allocator.internal.Goodput;
import dev.levee.k8s.allocator.internal.Options;
import dev.levee.k8s.allocator.internal.Sizes;

import java.util.List;

/** One job of a decision by goodput: the value of workers to it, and its cost of moving. */
final class Candidate {
    private final JobView job;
    private final Goodput goodput;
    private final Bid bid;
    private final List<SlotClass> classes;
    private final int slotsPerNode;
    private final double pause;
    private final double hold;

    /**
     * Rounds that its user declared and that are still missing; 0 where that counts for nothing.
     */
    private final double declared;

    /** The slowest class of slots that it has. */
    private final int presentClass;

    /** Its best batch as it runs now; null if it does not run. */
    private final Goodput.Choice present;

    private final boolean moves;

    /**
     * A job.
     *
     * @param useDeclared true if what is left to its declared end counts
     * @param pause seconds that it stands still when its workers change
     * @param hold seconds that a change is expected to hold
     * @param mayWait false if it must run
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
        Options options = Options.of(sizes, classes);
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

    /** Its speed on a class where that on the fastest is 1. */
    private double relative(int slotClass) {
        return goodput.relative(classes.get(slotClass).speed());
    }

    /** The slowest class that is as fast as its slots were when it was last measured. */
    private int slotClass(double speed) {
        int found = classes.size() - 1;
        while (found > 0 && classes.get(found).speed() < speed) {
            found--;
        }
        return found;
    }

    /** Without a declared end, or beyond it, a job is taken to be half done. */
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
     * Number of options that it may be given. Where slots are left over it need not grow by steps:
     * if it has gained too little at the next look, they are there for the others.
     */
    int options(boolean slotsAreFree) {
        Options all = bid.options();
        return slotsAreFree && goodput.measured() ? all.workers().length : all.tried();
    }

    /** Nodes that so many workers need at least. */
    int nodes(int workers) {
        return slotsPerNode == 0 ? 1 : (workers + slotsPerNode - 1) / slotsPerNode;
    }

    /** Goodput of an option less what it costs to get there. */
    double net(int option) {
        double rate = bid.goodput()[option];
        if (!job.running()) {
            return rate;
        }
        double moved = afterMove(rate);
        Options all = bid.options();
        return stays(all.workers()[option], all.classes()[option])
                ? Math.max(moved, present.rate())
                : moved;
    }

    /** True if it has as many workers on such slots. */
    boolean stays(int workers, int slotClass) {
        return workers == job.workers() && slotClass == presentClass;
    }

    /** True if it is better off on fewer nodes, with as many workers as it has on such slots. */
    boolean moves() {
        return moves;
    }

    /** Its batch with so many workers, where it will have them. */
    Goodput.Choice choice(int workers, int slotClass) {
        return stays(workers, slotClass) && !moves ? present : compact(workers, slotClass);
    }

    private Goodput.Choice compact(int workers, int slotClass) {
        return goodput.best(workers, nodes(workers), relative(slotClass));
    }

    private int presentNodes() {
        return job.nodes() == 0 ? nodes(job.workers()) : job.nodes();
    }

    /** A rate after subtraction of the pause, spread over the time that the change holds. */
    private double afterMove(double rate) {
        double holds = declared > 0 ? Math.min(hold, pause + declared / rate) : hold;
        return rate * (1 - pause / holds);
    }
}
