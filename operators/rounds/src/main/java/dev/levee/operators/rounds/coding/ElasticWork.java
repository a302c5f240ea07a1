package dev.levee.operators.rounds.coding;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.plan.BatchScaling;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/**
 * The work of a {@link Fractional} code in elastic runs. All samples have one order, and the shares
 * of a round with n workers are its next n batches. So shares follow from the round's settings
 * alone, and all workers with the same share compute the same bits.
 *
 * @param stragglers s
 */
record ElasticWork(int stragglers) implements Work {
    @Override
    public int steps() {
        return stragglers + 1;
    }

    @Override
    public boolean sharesOrder() {
        return true;
    }

    @Override
    public int firstBatch(Settings settings, int participant) {
        int place = settings.cohort().place(participant);
        return new Fractional(settings.workers(), stragglers).shares(place)[0];
    }

    /** All participants draw from one order of all samples. */
    @Override
    public Draw draw(int participant, long consumed, int size) {
        return new Draw(0, consumed, participant);
    }

    @Override
    public int cohort(int available) {
        return available - available % steps();
    }

    @Override
    public long modelSeed(long seed, Task task, long round, int step) {
        int share = firstBatch(task.settings(), task.worker()) + step;
        return modelSeed(seed, share, round, 0);
    }

    @Override
    public void check(Training training) {
        require(
                training.rule() instanceof ElasticRule rule && rule.stragglers() == stragglers,
                "{coding} fractional(%s) is decoded by its own {rule}, got %s",
                stragglers,
                training.rule().name());
        require(
                training.plan() instanceof Elasticity,
                "{coding} for workers that come and go needs {elastic}");
        Elasticity plan = (Elasticity) training.plan();
        require(
                plan.minWorkers() % steps() == 0 && training.workers() % steps() == 0,
                "{coding} fractional(%s) needs {workers} and min of {elastic} that %s divides, got %s"
                        + " and %s; between min and max, a round has the most that it divides",
                stragglers,
                steps(),
                training.workers(),
                plan.minWorkers());
        require(
                plan.scaling() != BatchScaling.ADASCALE,
                "{coding} hides how far the gradients of a round are apart, which {elastic} has to"
                        + " know for scaling=adascale, its default: add scaling=linear or sqrt");
        CodedWork.checkRounds(training);
    }

    @Override
    public Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        return CodedWork.combined(
                new Fractional(steps(), stragglers).coefficients(0), task, gradients);
    }
}
