package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A job's speed v on each class of slots, estimated from its measurements. A pass over m samples
 * takes (a + b·m) / v; the line and the v of each measured class are fitted alternately. A class
 * without measurements keeps its declared ratio to the nearest measured class.
 */
final class LearnedSpeeds implements SlotSpeeds {
    private static final int TURNS = 12;

    /** Logarithm of the factor beyond which a measurement is ignored as contradictory. */
    private static final double MOST = 7;

    /** Ratio of learned to declared speed, by class. */
    private final TreeMap<Double, Double> factors;

    private final SlotSpeeds declared;

    private LearnedSpeeds(SlotSpeeds declared, TreeMap<Double, Double> factors) {
        this.declared = declared;
        this.factors = factors;
    }

    /** The speeds of a job: the declared ones until it has been measured on two classes. */
    static SlotSpeeds of(JobView job) {
        SlotSpeeds declared = job.spec().speeds();
        TreeMap<Double, List<Measurement>> byClass = new TreeMap<>();
        for (Measurement each : job.memory().history()) {
            byClass.computeIfAbsent(each.speed(), speed -> new ArrayList<>()).add(each);
        }
        if (byClass.size() < 2) {
            return declared;
        }
        TreeMap<Double, Double> factors = new TreeMap<>();
        byClass.keySet().forEach(speed -> factors.put(speed, 1.0));
        LearnedSpeeds learned = new LearnedSpeeds(declared, factors);
        for (int turn = 0; turn < TURNS; turn++) {
            learned.improve(job.memory().history(), byClass);
        }
        return learned;
    }

    private void improve(List<Measurement> history, Map<Double, List<Measurement>> byClass) {
        double[] samples = new double[history.size()];
        double[] seconds = new double[samples.length];
        for (int i = 0; i < samples.length; i++) {
            Measurement each = history.get(i);
            samples[i] = (double) each.localBatch() / each.passes();
            seconds[i] = StepModel.passSeconds(each) * of(each.speed());
        }
        StepModel.Line pass = StepModel.pass(samples, seconds);
        double fastest = factors.lastKey();
        double scale = 1 / factor(byClass.get(fastest), pass);
        byClass.forEach((speed, measured) -> factors.put(speed, scale * factor(measured, pass)));
    }

    /** Geometric mean of the ratios of predicted time at the declared speed to measured time. */
    private double factor(List<Measurement> measured, StepModel.Line pass) {
        double sum = 0;
        for (Measurement each : measured) {
            double predicted = pass.at((double) each.localBatch() / each.passes());
            double seconds = StepModel.passSeconds(each) * declared.of(each.speed());
            double ratio = StrictMath.log(predicted / seconds);
            sum += Math.abs(ratio) < MOST ? ratio : 0;
        }
        return StrictMath.exp(sum / measured.size());
    }

    @Override
    public double of(double speed) {
        Map.Entry<Double, Double> below = factors.floorEntry(speed);
        Map.Entry<Double, Double> above = factors.ceilingEntry(speed);
        boolean lower =
                above == null || below != null && speed - below.getKey() <= above.getKey() - speed;
        return declared.of(speed) * (lower ? below : above).getValue();
    }
}
