package dev.levee.operators.rounds.coding;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Map;

/**
 * Computes one gradient for each of a worker's shares and combines them with a code's coefficients.
 * A share's batch and random draws follow from the share and the version of the model, so all
 * workers with this share compute the same bits.
 */
record CodedWork(GradientCode code) implements Work {
    @Override
    public int steps() {
        return code.stragglers() + 1;
    }

    @Override
    public Draw draw(int participant, long consumed, int size) {
        long batches = consumed / size;
        return new Draw(
                share(participant, (int) (batches % steps())),
                batches / steps() * size,
                participant);
    }

    @Override
    public long samplesBefore(int participant, long version, int batchSize, long drawn) {
        return version * steps() * batchSize;
    }

    @Override
    public long modelSeed(long seed, int participant, long round, int step) {
        return Work.super.modelSeed(seed, share(participant, step), round, 0);
    }

    private int share(int participant, int step) {
        return code.shares(participant)[step];
    }

    @Override
    public void check(Training training) {
        require(
                training.rule() instanceof CodeRule rule && rule.code().equals(code),
                "{coding} %s is decoded by its own {rule}, got %s",
                code.name(),
                training.rule().name());
        require(
                training.workers() == code.workers(),
                "{coding} %s is for %s {workers}, got %s",
                code.name(),
                code.workers(),
                training.workers());
        require(
                training.plan().equals(Plan.FIXED),
                "{coding} is for runs in which all workers take part in every round, without"
                        + " {elastic} or {reputation}");
        checkRounds(training);
    }

    /** Checks the parts of a training that do not depend on its number of workers. */
    static void checkRounds(Training training) {
        require(
                training.topology().equals(Topology.ONE),
                "{coding} is for runs with one server, without {topology}");
        require(
                training.admission().plain(),
                "{coding} is for rounds that take contributions to their own model only: {staleness}"
                        + " must be 0 and {secureSum} off");
    }

    @Override
    public Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        return combined(code.coefficients(task.worker()), task, gradients);
    }

    /**
     * The linear combination of the steps' gradients with these coefficients, which the worker
     * sends.
     */
    static Result combined(double[] coefficients, Task task, Gradients gradients) {
        double[] sum = new double[task.parameters().length];
        double loss = 0;
        for (int step = 0; step < coefficients.length; step++) {
            Gradient gradient = gradients.at(task.parameters(), step);
            float[] values = gradient.values();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += coefficients[step] * values[i];
            }
            loss += gradient.loss() / coefficients.length;
        }
        float[] sent = new float[sum.length];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (float) sum[i];
        }
        return new Result(sent, 1, loss, Map.of());
    }
}
