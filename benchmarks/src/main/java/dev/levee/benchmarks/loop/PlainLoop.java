package dev.levee.benchmarks.loop;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Rule;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The reference for the dataflow: computes the same gradients and steps in one process, without
 * Flink.
 */
final class PlainLoop implements AutoCloseable {
    /** The server's momentum. */
    static final float MOMENTUM = 0.9f;

    private final Training training;
    private final Aggregator aggregator;
    private final Batches batches;
    private final ExecutorService threads;
    private final ThreadLocal<Learner> learners;
    private float[] parameters;
    private float[] velocity;

    /**
     * Creates a loop that aggregates with {@code rule} and computes gradients on {@code cores}
     * threads.
     */
    PlainLoop(Training training, Rule rule, int cores) {
        this.training = training;
        this.aggregator = new Aggregator(rule, training.byzantine(), training.seed());
        this.batches = new Batches(training);
        threads = Executors.newFixedThreadPool(cores);
        learners = ThreadLocal.withInitial(training.model()::newLearner);
        parameters = training.model().initialParameters(training.seed());
        velocity = new float[parameters.length];
    }

    /** Runs rounds and returns the median duration of one in seconds. */
    public double run(int warmUp, int rounds) throws Exception {
        double[] seconds = new double[rounds];
        for (int round = 0; round < warmUp + rounds; round++) {
            long start = System.nanoTime();
            step(round);
            if (round >= warmUp) {
                seconds[round - warmUp] = (System.nanoTime() - start) / 1e9;
            }
        }
        Arrays.sort(seconds);
        return seconds[rounds / 2];
    }

    private void step(int round) throws Exception {
        List<Future<float[]>> gradients = new ArrayList<>();
        float[] current = parameters;
        for (int worker = 0; worker < training.workers(); worker++) {
            int id = worker;
            gradients.add(
                    threads.submit(
                            () ->
                                    learners.get()
                                            .gradient(
                                                    current,
                                                    batches.next(
                                                            id,
                                                            (long) round
                                                                    * training.data().batchSize(),
                                                            training.data().batchSize()),
                                                    training.work()
                                                            .modelSeed(
                                                                    training.seed(), id, round, 0))
                                            .values()));
        }
        float[][] rows = new float[training.workers()][];
        for (int worker = 0; worker < rows.length; worker++) {
            rows[worker] = gradients.get(worker).get();
        }
        float[] aggregate = aggregator.aggregate(rows);
        float rate = (float) training.step().learningRate().at(round);
        float[] next = new float[parameters.length];
        for (int i = 0; i < next.length; i++) {
            velocity[i] = MOMENTUM * velocity[i] + aggregate[i];
            next[i] = parameters[i] - rate * velocity[i];
        }
        parameters = next;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
