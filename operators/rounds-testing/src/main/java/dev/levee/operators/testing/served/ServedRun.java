package dev.levee.operators.testing.served;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Pipe;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.served.VersionTopic.Part;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One driven run whose workers are outside: versions are published on a topic and gradients read
 * from logs, none of which a crash of the job takes back. A job that starts again continues from
 * its checkpoint or from what has been published, whichever is newer, block by block.
 */
public final class ServedRun {
    /** More events than any run that makes progress takes, per round, worker and block. */
    private static final long PATIENCE = 4_000;

    private static final long START = 1_000_000;

    /** An event of the job in one of its lives, or of a process outside. */
    private record Act(long life, Runnable what) {}

    /** Events outside the job survive it. */
    private static final long OUTSIDE = -1;

    final Drive plan;
    private final Training training;
    private final int blocks;
    final Wire wire;
    final SplittableRandom random;
    private final List<String> log;
    private final Calendar<Act> calendar = new Calendar<>(START);
    final boolean gated;
    final VersionTopic topic;
    private final List<List<GradientBlock>> gradients = new ArrayList<>();
    private final List<OutsideWorkers> processes = new ArrayList<>();
    private final ServedPromises promises;
    private ServedJob.Cut cut;
    private ServedJob job;
    private long life;
    private int crashes;

    /**
     * A run that has not started.
     *
     * @param processes how many workers are spread over
     * @param gated true if workers sign what they send, so that others cannot send in their names
     * @param log receives a line per event, null for none
     */
    public ServedRun(Drive plan, int processes, boolean gated, long seed, List<String> log) {
        this.plan = plan;
        this.gated = gated;
        this.log = log;
        training = plan.training();
        blocks = plan.slices().count();
        random = new SplittableRandom(Draws.key(seed, 2));
        wire = new Wire(plan, seed, random);
        topic = new VersionTopic(blocks);
        promises = new ServedPromises(plan);
        for (int block = 0; block < blocks; block++) {
            gradients.add(new ArrayList<>());
        }
        for (int process = 0; process < processes; process++) {
            int own = process;
            this.processes.add(
                    new OutsideWorkers(
                            plan,
                            topic,
                            id -> id % processes == own,
                            wire,
                            calendar::now,
                            (delay, what) -> calendar.plan(delay, new Act(OUTSIDE, what)),
                            this::sent));
        }
        cut = ServedJob.Cut.first(plan);
    }

    /**
     * Runs until everything has come to rest.
     *
     * @return how often the job was started again
     */
    public int run() {
        long most =
                PATIENCE
                        * (training.rounds() + 1)
                        * training.plan().participants(training)
                        * blocks;
        Disturbances disturbances = plan.disturbances();
        start(List.of());
        for (long events = 0; !calendar.isEmpty(); events++) {
            if (events > most) {
                throw new BrokenInvariantException("no end after " + events + " events");
            }
            if (wire.chance(disturbances.checkpoints())) {
                checkpoint();
            }
            if (crashes < disturbances.mostCrashes() && wire.chance(disturbances.crashes())) {
                crash();
            } else if (crashes < disturbances.mostCrashes()
                    && wire.chance(disturbances.crashes())) {
                crashes++;
                processes.get(random.nextInt(processes.size())).restart();
                note("a process of workers starts again");
            } else {
                Act act = calendar.next();
                if (act.life() == OUTSIDE) {
                    act.what().run();
                } else if (act.life() == life) {
                    work(act.what());
                }
            }
        }
        cut.check();
        promises.ended(topic, gradients, job.finished());
        return crashes;
    }

    /** The job does something; where a part of it cannot continue, all of it starts again. */
    private void work(Runnable what) {
        try {
            what.run();
        } catch (IllegalStateException e) {
            if (topic.caughtUp()) {
                throw e;
            }
            note(e.getMessage());
            start(List.of());
        }
    }

    long now() {
        return calendar.now();
    }

    /** The job does something some time later, unless it starts again before. */
    void later(long delay, Runnable what) {
        calendar.plan(delay, new Act(life, what));
    }

    void note(String what) {
        if (log != null) {
            log.add((now() - START) + " " + what);
        }
    }

    /** Contributions that workers have sent to a block. */
    List<GradientBlock> sentTo(int block) {
        return gradients.get(block);
    }

    /**
     * Records on their way to the writer come first; if one sends the job back, there is no
     * checkpoint.
     */
    private void checkpoint() {
        long before = life;
        for (Pipe<Part> pipe : job.parts()) {
            while (before == life && !pipe.inFlight().isEmpty()) {
                pipe.take();
            }
        }
        if (before == life) {
            cut = job.cut();
            note("checkpoint of " + job);
        }
    }

    private void crash() {
        cut.check();
        crashes++;
        List<Part> left = new ArrayList<>();
        job.parts().forEach(pipe -> left.addAll(pipe.inFlight()));
        note("crash with " + left.size() + " parts on their way");
        start(left);
    }

    /**
     * The job starts from the last checkpoint, its parts one after the other, while what the crash
     * has left of the job before may still publish what it has in hand.
     */
    void start(List<Part> left) {
        life++;
        ArrayDeque<Part> zombie = new ArrayDeque<>(left);
        job = new ServedJob(this, cut, zombie);
        topic.fence();
        job.begin();
    }

    /** The job publishes a part, which must be of what comes after the newest version. */
    void offer(Part part) {
        if (part.version() < topic.newest() || topic.contradicts(part)) {
            note("version " + topic.newest() + " was published while the job started");
            start(List.of());
        } else {
            publish(part);
        }
    }

    void publish(Part part) {
        if (topic.add(part)) {
            note("version " + topic.newest());
            promises.published(topic);
            processes.forEach(each -> each.told());
        }
    }

    /** A worker has sent a block, or someone else has in its name. */
    private void sent(GradientBlock gradient) {
        append(gradient);
        Disturbances disturbances = plan.disturbances();
        if (!gated && wire.chance(disturbances.contradictions())) {
            append(wire.contradiction(gradient));
        }
        if (wire.chance(disturbances.duplicates())) {
            append(gradient);
        }
        if (!gated && wire.chance(disturbances.garbage())) {
            append(wire.garbage(gradient));
        }
    }

    private void append(GradientBlock gradient) {
        int block = gradient.header().block();
        gradients.get(block).add(gradient);
        later(wire.delay(), () -> job.read(block));
    }
}
