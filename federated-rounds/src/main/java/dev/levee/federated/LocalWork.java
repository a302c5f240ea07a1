package dev.levee.federated;

import dev.levee.federated.personal.DeviceRound;
import dev.levee.federated.personal.PersonalRound;
import dev.levee.federated.privacy.Privacy;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalState;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.LocalRound;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.FixedPoint;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Local training: a device takes local steps from the server's model x to a model w, and sends x −
 * w and the new buffers (McMahan et al. 2017, algorithm 1; with a proximal term Li et al.,
 * "Federated Optimization in Heterogeneous Networks", MLSys 2020, algorithm 2). The sign is that of
 * a gradient, so server steps and rules treat it as one. If the server mixes models, a device sends
 * w itself. If the optimizer's vectors are averaged, they follow the model in both directions
 * ({@link CarryingModel}).
 */
public final class LocalWork extends FederatedWork {
    private static final long serialVersionUID = 1L;
    private static final String MOMENT = "moment";

    /** Name of the number of steps that the kept vectors have seen; a float counts 2^24 of them. */
    private static final String STEPS = "steps";

    private final LocalTraining local;
    private final Privacy privacy;
    private final long seed;
    private final Upload sent;
    private final boolean byVersion;

    /**
     * The model of the run, null if it has neither a loop of its own nor layers of a device's own.
     */
    private final Model model;

    private final boolean scores;

    /**
     * Creates the work of devices that have the server's model.
     *
     * @param steps number of batches of each device in a round
     * @param weights the devices' weights
     * @param privacy clipping and noise of contributions
     * @param seed seed of that noise
     * @param sent makes the contribution from the trained model
     * @param byVersion true if the batches of a device follow from the version of the model alone,
     *     so its contribution to a version does not depend on its earlier work
     */
    public LocalWork(
            LocalTraining local,
            int[] steps,
            double[] weights,
            Privacy privacy,
            long seed,
            Upload sent,
            boolean byVersion) {
        this(local, steps, weights, 1, privacy, seed, sent, byVersion, null, false);
    }

    /**
     * Creates the work of devices.
     *
     * @param asked number of devices of a round
     * @param model the model of the run, of which devices have their own version; a loop of its own
     *     replaces the steps
     * @param scores true if they score models
     */
    LocalWork(
            LocalTraining local,
            int[] steps,
            double[] weights,
            int asked,
            Privacy privacy,
            long seed,
            Upload sent,
            boolean byVersion,
            Model model,
            boolean scores) {
        super(steps, weights, asked);
        this.local = local;
        this.privacy = privacy;
        this.seed = seed;
        this.sent = sent;
        this.byVersion = byVersion;
        this.model = model;
        this.scores = scores;
    }

    @Override
    Privacy privacy() {
        return privacy;
    }

    @Override
    public long samplesBefore(int participant, long version, int batchSize, long drawn) {
        return byVersion ? version * steps(participant) * batchSize : drawn;
    }

    @Override
    public boolean scores() {
        return scores;
    }

    @Override
    int floats(Training run, long round) {
        Layout layout = run.model().layout();
        return sent instanceof Upload.Slice slice
                ? layout.size()
                        - layout.trainable()
                        + slice.sync().slice(run.seed(), round, layout.trainable()).length()
                : layout.size() - local.personal().unsent(layout);
    }

    @Override
    long sentBytes(Training run, long round) {
        return sent instanceof Upload.Compressed compressed
                ? compressed.bytes()
                        + (long) Float.BYTES * local.carried() * run.model().layout().trainable()
                : super.sentBytes(run, round);
    }

    @Override
    public Result work(
            Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        float[] start = task.parameters();
        double rate = local.rate().at(task.round());
        PersonalRound own =
                local.personal()
                        .round(
                                new DeviceRound(
                                        model,
                                        seed,
                                        start,
                                        trainable,
                                        task.round(),
                                        rate,
                                        steps(task.worker()),
                                        kept,
                                        gradients));
        float[] begin = own.begin(sent.begin(start, trainable, kept));
        Trained trained =
                model != null && model.ownLoop()
                        ? byOwnLoop(task, begin, gradients)
                        : bySteps(task, begin, kept, trainable, gradients, own);
        float[] values = difference(start, trained.model(), trainable);
        own.send(values);
        for (int i = 0; i < local.averaged(); i++) {
            System.arraycopy(
                    trained.moments()[i], 0, values, behind(i, start, trainable), trainable);
        }
        Map<String, float[]> keeps = kept(trained);
        LocalScore score = scored(task, own.model(trained.model(), keeps), gradients);
        Cohort cohort = task.settings().cohort();
        double distance = rate * steps(task.worker());
        local.correction()
                .finish(
                        new Correction.Done(
                                start,
                                values,
                                trainable,
                                distance,
                                (double) cohort.size() / participants()),
                        kept,
                        keeps);
        double counts =
                sent.weigh(
                        values,
                        trainable,
                        rate,
                        () -> loss(start, steps(task.worker()), gradients));
        sent.finish(values, start, trainable, task, keeps);
        return sent(
                        values,
                        trainable,
                        task,
                        new Result(values, weight(task.worker()) * counts, trained.loss(), keeps))
                .keeping(trained.own())
                .scored(score);
    }

    /** The result that leaves the device: clipped, with noise, or encoded for a secure sum. */
    private Result sent(float[] values, int trainable, Work.Task task, Result whole) {
        int cohort = task.settings().cohort().size();
        int device = task.worker();
        Optional<int[]> integers =
                privacy.integers(values, relative(device), cohort, seed, task.round(), device);
        if (integers.isPresent()) {
            return whole.with(FixedPoint.bits(integers.get(), values.length))
                    .weighing(integers.get()[values.length]);
        }
        if (!privacy.none()) {
            privacy.apply(values, trainable, cohort, asked(), seed, task.round(), device);
        }
        if (privacy.masking().hides()) {
            Privacy.weigh(values, share(device, task.settings().cohort()));
            return whole.weighing(1);
        }
        return whole;
    }

    /**
     * Scores the server's model and the device's own on samples that it does not train on, if any.
     */
    private static LocalScore scored(Work.Task task, float[] own, Gradients gradients) {
        Evaluation server = gradients.heldOut(task.parameters());
        return server == null
                ? null
                : LocalScore.of(
                        task.worker(),
                        task.round(),
                        server,
                        own == task.parameters() ? server : gradients.heldOut(own));
    }

    /**
     * The result of a round of training.
     *
     * @param model trained values, then buffers
     * @param moments the optimizer's vectors
     * @param steps number of steps that these vectors have seen
     * @param own the state of the model's own loop
     */
    private record Trained(float[] model, float[][] moments, long steps, double loss, byte[] own) {}

    private Trained byOwnLoop(Work.Task task, float[] begin, Gradients gradients) {
        LocalRound.Result round =
                gradients.trained(begin, local.rate().at(task.round()), steps(task.worker()));
        return new Trained(round.parameters(), new float[0][], 0, round.loss(), round.state());
    }

    private Trained bySteps(
            Work.Task task,
            float[] begin,
            Map<String, float[]> kept,
            int trainable,
            Gradients gradients,
            PersonalRound own) {
        float[] start = task.parameters();
        float rate = (float) local.rate().at(task.round());
        long done = done(task, kept);
        float[][] moments =
                local.averaged() > 0 ? received(start, trainable) : moments(kept, start.length);
        Position now = new Position(begin, moments);
        // A learner recognizes a loaded vector by its array, so two arrays alternate; x is not
        // changed.
        Position next = Position.zeros(start.length, moments.length);
        float[] spare = new float[start.length];
        float[] term = local.correction().term(start, trainable, kept);
        double loss = 0;
        int count = steps(task.worker());
        for (int step = 0; step < count; step++) {
            Gradient gradient = own.gradient(now.x(), step, gradients);
            loss += gradient.loss();
            float[] direction = gradient.values();
            pull(direction, now.x(), start, trainable);
            add(direction, term);
            own.mask(direction, step);
            local.optimizer().step(now, direction, trainable, done + step, rate, next);
            int buffers = direction.length - trainable;
            System.arraycopy(direction, trainable, next.x(), trainable, buffers);
            Position before = now.x() == begin ? new Position(spare, now.moments()) : now;
            now = next;
            next = before;
        }
        return new Trained(now.x(), now.moments(), done + count, loss / count, NOTHING);
    }

    /** Number of steps that the optimizer's vectors have seen when a device begins a round. */
    private long done(Work.Task task, Map<String, float[]> kept) {
        return switch (local.state()) {
            case RESET -> 0;
            case KEEP ->
                    kept.containsKey(STEPS) ? (long) kept.get(STEPS)[0] : uncounted(task, kept);
            // An optimizer that does not carry all its vectors creates the others at step 0.
            case AVERAGE ->
                    local.averaged() < local.optimizer().moments()
                            ? 0
                            : Math.round(task.round() * meanSteps());
        };
    }

    /** The steps of a device whose state has no number of them: none, or it is an older state. */
    private static long uncounted(Work.Task task, Map<String, float[]> kept) {
        return kept.containsKey(MOMENT + 0) ? task.consumed() / task.settings().batchSize() : 0;
    }

    /** The mean loss of the round's batches at one model. */
    private static double loss(float[] parameters, int steps, Gradients gradients) {
        double loss = 0;
        for (int step = 0; step < steps; step++) {
            loss += gradients.at(parameters, step).loss();
        }
        return loss / steps;
    }

    /** Adds the proximal term's gradient μ(w − x). */
    private void pull(float[] direction, float[] w, float[] start, int trainable) {
        float mu = (float) (local.proximal() + local.correction().proximal());
        if (mu != 0) {
            for (int i = 0; i < trainable; i++) {
                direction[i] += mu * (w[i] - start[i]);
            }
        }
    }

    private static void add(float[] direction, float[] term) {
        for (int i = 0; i < term.length; i++) {
            direction[i] += term[i];
        }
    }

    private static float[] difference(float[] start, float[] w, int trainable) {
        float[] values = w.clone();
        for (int i = 0; i < trainable; i++) {
            values[i] = start[i] - w[i];
        }
        return values;
    }

    private boolean keeping() {
        return local.state() == LocalState.KEEP;
    }

    /** Copies of the optimizer's vectors that the device kept. */
    private float[][] moments(Map<String, float[]> kept, int length) {
        float[][] moments = new float[local.optimizer().moments()][];
        for (int i = 0; i < moments.length; i++) {
            float[] old = kept.get(MOMENT + i);
            moments[i] = old == null ? new float[length] : old.clone();
        }
        return moments;
    }

    /** The optimizer's vectors after the previous round, which followed the received model. */
    private float[][] received(float[] start, int trainable) {
        float[][] moments = new float[local.optimizer().moments()][start.length];
        for (int i = 0; i < local.averaged(); i++) {
            System.arraycopy(start, behind(i, start, trainable), moments[i], 0, trainable);
        }
        return moments;
    }

    /** Start of the vectors that follow the model. */
    private int behind(int vector, float[] start, int trainable) {
        return start.length - (local.carried() - vector) * trainable;
    }

    private Map<String, float[]> kept(Trained trained) {
        Map<String, float[]> kept = new HashMap<>();
        for (int i = 0; keeping() && i < trained.moments().length; i++) {
            kept.put(MOMENT + i, trained.moments()[i]);
            kept.put(STEPS, new float[] {trained.steps()});
        }
        return kept;
    }
}
