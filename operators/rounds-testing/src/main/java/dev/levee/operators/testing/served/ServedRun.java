package dev.levee.operators.testing.served;

import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.gar.Draws;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Pipe;
import dev.levee.operators.testing.Wire;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One driven run with outside workers. Versions are published on a topic and gradients are read
 * from logs, which a crash of the job does not undo. For each block, a restarted job continues from
 * its checkpoint or from the published version, whichever is newer.
 */
public final class ServedRun {
    /** Limit of events per round, worker and block, which no run that makes progress reaches. */
    private static final long PATIENCE = 4_000;

    private static final long START = 1_000_000;

    /** An event of the job between two crashes, or of an outside process. */
    private record Act(long life, Runnable what) {}

    /** The life of events outside the job, which survive its crashes. */
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
     * Creates a run.
     *
     * @param processes number of processes with workers
     * @param gated true if workers sign their records, so that others cannot send in their names
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
        topic = new VersionTopic(plan);
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
     * Runs until no event is left.
     *
     * @return number of restarts of the job
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

    /** Runs an action of the job; if a part of the job cannot continue, restarts the whole job. */
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

    /** Runs an action of the job after a delay, unless the job restarts first. */
    void later(long delay, Runnable what) {
        calendar.plan(delay, new Act(life, what));
    }

    void note(String what) {
        if (log != null) {
            log.add((now() - START) + " " + what);
        }
    }

    /** The contributions that workers have sent to a block. */
    List<GradientBlock> sentTo(int block) {
        return gradients.get(block);
    }

    /**
     * Takes a checkpoint after delivering records to the writer; if one restarts the job, there is
     * no checkpoint.
     */
    private void checkpoint() {
        long before = life;
        for (Pipe<VersionPart> pipe : job.parts()) {
            while (before == life && !pipe.inFlight().isEmpty()) {
                work(pipe::take);
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
        List<VersionPart> left = new ArrayList<>();
        job.parts().forEach(pipe -> left.addAll(pipe.inFlight()));
        note("crash with " + left.size() + " parts on their way");
        start(left);
    }

    /**
     * Starts the job from the last checkpoint, one part after another. Meanwhile, remains of the
     * previous job may still publish the parts that they have.
     */
    void start(List<VersionPart> left) {
        life++;
        ArrayDeque<VersionPart> zombie = new ArrayDeque<>(left);
        job = new ServedJob(this, cut, zombie);
        topic.fence();
        job.begin();
    }

    /** Publishes a part that the previous job has left, unless it is refused. */
    void publishLeft(VersionPart part) {
        try {
            publish(part);
        } catch (IllegalStateException e) {
            // Nothing of the previous job is left to restart.
        }
    }

    void publish(VersionPart part) {
        if (topic.add(part)) {
            note("version " + topic.newest());
            promises.published(topic);
            processes.forEach(each -> each.told());
        }
    }

    /** Records a block that was sent by a worker, or by someone else in its name. */
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
