package dev.levee.operators.testing.plain;

import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.GradientSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Computes the rows of a synchronous round in which all workers are either correct or attackers. It
 * implements worker-side momentum, attacks and the rejection of non-finite rows a second time,
 * without the protocol's classes.
 */
public final class SynchronousRows implements PlainLoop.RowSource {
    private final Training training;
    private final List<Settings> course;
    private final Slices slices;
    private final GradientSource gradients;
    private final float[][] momentum;
    private final long[] answers;

    /** Creates the rows of a run without changes. */
    public SynchronousRows(Training training, Slices slices, GradientSource gradients) {
        this(training, PlainLoop.course(training), slices, gradients);
    }

    /** Creates the rows of rounds with these settings. */
    public SynchronousRows(
            Training training, List<Settings> course, Slices slices, GradientSource gradients) {
        this.training = training;
        this.course = course;
        this.slices = slices;
        this.gradients = gradients;
        this.momentum = new float[training.plan().participants(training)][];
        this.answers = new long[momentum.length];
    }

    @Override
    public PlainLoop.Rows rows(long round, float[] parameters) {
        return rows(round, worker -> parameters);
    }

    /** The rows of a round in which each worker has a model of its own. */
    PlainLoop.Rows rows(long round, IntFunction<float[]> models) {
        return rows(round, course.get((int) round).cohort(), models);
    }

    /** The rows of a round's participants. */
    PlainLoop.Rows rows(long round, Cohort cohort, IntFunction<float[]> models) {
        int n = cohort.size();
        for (int worker = 0; worker < momentum.length; worker++) {
            // A worker that returns to an elastic run has a fresh state.
            boolean away = !cohort.contains(worker);
            momentum[worker] = away && training.plan().freshOnReturn() ? null : momentum[worker];
        }
        Round context = context(round, cohort);
        boolean lie = training.attackers().attack() != null && works(context);
        float[][] own = new float[n][];
        for (int place = 0; place < n; place++) {
            int worker = cohort.id(place);
            boolean computes = !lie || !training.attacks(worker, Attack::idle);
            own[place] = computes ? answer(worker, round, models.apply(worker)) : new float[0];
        }
        float[][] honest = training.plan().foreseen() ? honest(cohort, own) : permanent(own);
        List<float[]> rows = new ArrayList<>();
        for (int place = 0; place < n; place++) {
            int worker = cohort.id(place);
            boolean silent = training.attacks(worker, Attack::silent);
            float[] row =
                    lie && training.attacks(worker, Attack::forges)
                            ? training.attackers()
                                    .attack()
                                    .forgeRow(
                                            worker,
                                            context,
                                            own[place],
                                            honest,
                                            slices.dimension(),
                                            slices.blockSize())
                            : own[place];
            if (!silent
                    && (training.admission().nonFinite() == Admission.NonFinite.KEEP
                            || finite(row))) {
                rows.add(row);
            }
        }
        int f = (training.topology().local() ? 0 : course.get((int) round).f()) - (n - rows.size());
        if (f < 0) {
            throw new RunFailedException("more than f faults in round " + round);
        }
        return new PlainLoop.Rows(rows.toArray(float[][]::new), f);
    }

    private float[] answer(int worker, long round, float[] parameters) {
        Settings settings = course.get((int) round);
        long consumed =
                training.plan().oneOrder()
                        ? settings.samples()
                                + (long) settings.cohort().place(worker) * settings.batchSize()
                        : answers[worker]++ * training.data().batchSize();
        float[] gradient =
                gradients
                        .gradient(
                                new Work.Task(
                                        0,
                                        worker,
                                        round,
                                        settings,
                                        parameters,
                                        consumed,
                                        Map.of(),
                                        0))
                        .values();
        float mu = (float) ((GradientWork) training.work()).momentum();
        if (mu == 0) {
            return gradient;
        }
        float[] old = momentum[worker];
        float[] sent = gradient.clone();
        for (int i = 0; i < slices.trainable() && old != null; i++) {
            sent[i] = mu * old[i] + (1 - mu) * gradient[i];
        }
        momentum[worker] = sent;
        return sent;
    }

    /** The rows of a round's honest participants. */
    private float[][] honest(Cohort cohort, float[][] own) {
        return IntStream.range(0, own.length)
                .filter(place -> !training.attacks(cohort.id(place)))
                .mapToObj(place -> own[place])
                .toArray(float[][]::new);
    }

    /** The rows without those of attackers, which are the last of the permanent workers. */
    private float[][] permanent(float[][] own) {
        return training.attackers().attack() == null
                ? own
                : Arrays.copyOf(own, training.permanentWorkers() - training.attackers().count());
    }

    /** The attackers' view of a round, with its participants or the permanent ones. */
    private Round context(long round, Cohort cohort) {
        boolean foreseen = training.plan().foreseen();
        int liars = (int) Arrays.stream(cohort.ids()).filter(training::attacks).count();
        return new Round(
                foreseen ? cohort.size() : training.permanentWorkers(),
                foreseen ? liars : training.attackers().count(),
                training.drawing(round),
                training.seed());
    }

    /** True if the attack works; attackers in a round with too few others answer honestly. */
    private boolean works(Round context) {
        if (!training.plan().foreseen() || context.f() == 0) {
            return true;
        }
        int honest = context.rows() - context.f();
        try {
            training.attackers().attack().check(context, Math.max(1, honest));
            return honest > 0 || training.attackers().attack().sees() != Attack.Sees.HONEST;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean finite(float[] row) {
        for (float value : row) {
            if (!Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }
}
