package dev.levee.operators.testing;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The machine and the allocator of an elastic run, which a crash does not reset. */
public final class ElasticEnvironment {
    /** Bytes of a gradient for each sample. */
    static final long SAMPLE_BYTES = 1000;

    private final Training training;
    private final Changes changes;
    private final SplittableRandom random;
    private final List<Control> controls = new ArrayList<>();

    public ElasticEnvironment(Drive plan, long seed) {
        training = plan.training();
        changes = plan.changes();
        random = new SplittableRandom(Draws.key(seed, 5));
    }

    /** Number of the job's subtasks after a restart, sometimes one more than it can use. */
    public int subtasks() {
        return 1 + random.nextInt(training.plan().participants(training) + 1);
    }

    public boolean controls() {
        return changes.controls() > 0 && random.nextDouble() < changes.controls();
    }

    /** A newer control, or a repeated earlier one. */
    public Control control(long round) {
        if (!controls.isEmpty() && random.nextInt(3) == 0) {
            return controls.get(random.nextInt(controls.size()));
        }
        Elasticity bounds = (Elasticity) training.plan();
        int workers = random.nextInt(bounds.minWorkers(), bounds.maxWorkers() + 1);
        int batch = 1 + random.nextInt((int) (1.5 * bounds.maxBatch() / bounds.minWorkers()) + 1);
        double nominal = (double) training.workers() * training.data().batchSize();
        double rate = bounds.learningRate() * workers * batch / nominal;
        controls.add(
                new Control(
                        controls.size() + 1,
                        batch,
                        workers,
                        rate * random.nextDouble(0.5, 1.5),
                        random.nextInt(3) == 0 ? round + random.nextInt(5) : 0));
        return controls.get(controls.size() - 1);
    }

    /**
     * Records the cost of a gradient. A worker with too little memory computes on half the batch.
     */
    public GradientCost effort(Work.Task task) {
        int batch = task.settings().batchSize();
        boolean fits = changes.fits() == 0 || batch <= changes.fits();
        boolean halves = !fits && ((Elasticity) training.plan()).workerMemory() == 0;
        int samples = halves ? Math.max(1, batch / 2) : batch;
        return new GradientCost(samples, 1 + random.nextInt(1_000_000), SAMPLE_BYTES * samples);
    }
}
