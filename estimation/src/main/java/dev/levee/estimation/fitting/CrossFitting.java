package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.Score;
import dev.levee.estimation.Specification;
import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.Predictor;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/**
 * Fits nuisance functions on the complement of each part of a sample split, and predicts the part.
 * A fit depends only on the data, the specification and its own position (treatment, repetition,
 * part, nuisance), so it gives the same bits in any order and on any machine of the same processor
 * architecture. Thread-safe.
 */
public final class CrossFitting implements AutoCloseable {
    private final EffectData data;
    private final Specification specification;
    private final FitTask.Size size;
    private final Map<Nuisance, Learner> learners = new EnumMap<>(Nuisance.class);
    private final List<NuisanceFunction> functions;
    private volatile boolean closed;

    /**
     * Creates the cross-fitting of an estimate.
     *
     * @throws IllegalArgumentException if a task is too small for the score; one sentence
     */
    public CrossFitting(EffectData data, Specification specification, FitTask.Size size) {
        requireSize(specification, size);
        this.data = data;
        this.specification = specification;
        this.size = size;
        this.functions = NuisanceFunction.of(specification.score(), data);
        for (Nuisance each : specification.score().nuisances()) {
            learners.put(each, specification.learners().get(each).create(each.label()));
        }
    }

    /**
     * Checks that tasks of a size can compute a score.
     *
     * @throws IllegalArgumentException if they cannot; one sentence
     */
    public static void requireSize(Specification specification, FitTask.Size size) {
        if (size == FitTask.Size.FOLD && specification.score() == Score.IV_TYPE) {
            throw new IllegalArgumentException(
                    "the score iv-type needs tasks that are repetitions: ml_g is fitted with a"
                            + " first estimate that all folds make");
        }
    }

    /**
     * Checks that learners can fit on this machine, before anything is fitted.
     *
     * @throws IllegalArgumentException if one cannot; one sentence
     */
    public void check() {
        learners.values().forEach(Learner::check);
    }

    /**
     * Ends the processes that learners have started. Fits in these processes fail, other running
     * fits end when their thread is interrupted or they are done, and no further fit begins.
     */
    @Override
    public void close() {
        closed = true;
        learners.values().forEach(Learner::close);
    }

    /** Number of tasks. */
    public int tasks() {
        return specification.repetitions() * FitTask.perRepetition(specification, data, size);
    }

    /** Number of tasks per repetition. The tasks of repetition m start at m times this number. */
    public int tasksPerRepetition() {
        return FitTask.perRepetition(specification, data, size);
    }

    /** Total number of fits. */
    public int fits() {
        return specification.repetitions() * FitTask.fitsPerRepetition(specification, data);
    }

    /** Number of fits of a task. */
    public int fitsPerTask() {
        return fits() / tasks();
    }

    /** The functions that are fitted in each part, in this order. */
    public List<NuisanceFunction> functions() {
        return functions;
    }

    /** The task with a number. */
    public FitTask task(int number) {
        return FitTask.of(number, specification, data, size);
    }

    /**
     * Runs a task.
     *
     * @return predictions for the observations of the task's part, in ascending order; for a whole
     *     repetition, n predictions for each of {@link #functions}
     * @throws IllegalStateException if a fit fails; one sentence that says which
     * @throws CancellationException if this is closed, or the thread is interrupted
     */
    public double[] run(int number) {
        FitTask task = task(number);
        Folds folds = folds(task.repetition());
        if (size == FitTask.Size.FOLD) {
            return fit(task, folds, data.outcome().values());
        }
        int n = data.size();
        double[] predictions = new double[functions.size() * n];
        for (int q = 0; q < functions.size(); q++) {
            double[] outcome = data.outcome().values();
            if (functions.get(q).kind() == Nuisance.G) {
                outcome = withoutEffect(task.treatment(), predictions);
            }
            for (int part = 0; part < folds.count(); part++) {
                FitTask one =
                        new FitTask(task.treatment(), task.repetition(), part, functions.get(q));
                place(folds.test(part), fit(one, folds, outcome), predictions, q * n);
            }
        }
        return predictions;
    }

    public Folds folds(int repetition) {
        return Folds.of(data, specification.folds(), specification.seed(), repetition);
    }

    private static void place(int[] observations, double[] from, double[] to, int offset) {
        for (int i = 0; i < observations.length; i++) {
            to[offset + observations[i]] = from[i];
        }
    }

    /**
     * Y − θ₀D. The estimate θ₀ comes from partialling out with the first two nuisance functions.
     */
    private double[] withoutEffect(int treatment, double[] predictions) {
        int n = data.size();
        ScoreElements.requireIdentified(
                data,
                specification.score(),
                treatment,
                new ScoreElements.Predictions(functions, predictions, n),
                ScoreElements.all(n),
                "");
        double[] outcome = data.outcome().values();
        double[] treated = data.treatments().get(treatment).values();
        double products = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double v = treated[i] - predictions[n + i];
            products += v * (outcome[i] - predictions[i]);
            squares += v * v;
        }
        double first = products / squares;
        double[] rest = new double[n];
        Arrays.setAll(rest, i -> outcome[i] - first * treated[i]);
        return rest;
    }

    private double[] fit(FitTask task, Folds folds, double[] outcome) {
        if (closed) {
            throw new CancellationException("the estimate was ended");
        }
        int[] test = folds.test(task.part());
        int[] train = trainingSample(task, folds.train(task.part()));
        if (test.length == 0) {
            return new double[0]; // no observation is in this pair of groups of clusters
        }
        if (train.length == 0) {
            throw failed(task, "its training sample is empty", null);
        }
        double[] target = at(target(task.treatment(), task.function(), outcome), train);
        if (constant(target)) {
            // For a constant target, no learner can do better, and logistic regression cannot fit
            // it.
            double[] same = new double[test.length];
            Arrays.fill(same, target[0]);
            return same;
        }
        long seed =
                Seeds.of(
                        specification.seed(),
                        1,
                        task.treatment(),
                        task.repetition(),
                        task.part(),
                        task.function().kind().ordinal());
        for (int j = 0; j < task.function().instrument(); j++) {
            seed = Seeds.of(seed, j); // the first instrument keeps the seed of a single instrument
        }
        double[] predicted;
        try {
            Predictor predictor =
                    learners.get(task.function().kind())
                            .fit(data.features(task.treatment(), train), target, seed);
            predicted = predictor.predict(data.features(task.treatment(), test));
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            throw failed(task, e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
        for (double each : predicted) {
            if (!Double.isFinite(each)) {
                throw failed(task, "it predicts " + each, null);
            }
        }
        if (predicted.length != test.length) {
            throw failed(
                    task,
                    "it predicts %d values for %d rows".formatted(predicted.length, test.length),
                    null);
        }
        return predicted;
    }

    private IllegalStateException failed(FitTask task, String why, Throwable cause) {
        return new IllegalStateException(
                "the fit of %s by %s failed: %s"
                        .formatted(
                                task.words(data),
                                specification.learners().get(task.function().kind()).text(),
                                why),
                cause);
    }

    /** The values that a function predicts if the outcome is this. */
    double[] target(int treatment, NuisanceFunction function, double[] outcome) {
        return switch (function.kind()) {
            case L, G, G0, G1 -> outcome;
            case M -> data.assignment(treatment, function).values();
            case R, R0, R1 -> data.treatments().get(treatment).values();
        };
    }

    private int[] trainingSample(FitTask task, int[] train) {
        Nuisance kind = task.function().kind();
        double[] assignment = data.assignment(task.treatment()).values();
        return Arrays.stream(train).filter(i -> kind.covers(assignment[i])).toArray();
    }

    private static double[] at(double[] values, int[] observations) {
        return Arrays.stream(observations).mapToDouble(i -> values[i]).toArray();
    }

    private static boolean constant(double[] values) {
        for (double each : values) {
            if (each != values[0]) {
                return false;
            }
        }
        return true;
    }
}
