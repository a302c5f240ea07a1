package dev.levee.k8s.allocator.internal;

import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the time of a job's round in seconds from all its measurements (after Qiao et al.,
 * "Pollux", OSDI 2021, §3.2, in closed form). A pass over m samples takes a + b·m. The exchange of
 * gradients takes α + β·(n − 2) among n workers, with different coefficients on one node and on
 * several, and overlaps with the last pass to a degree γ: (pass^γ + exchange^γ)^(1/γ).
 *
 * @param passConstant a
 * @param passPerSample b
 * @param overlap γ, the degree of overlap: 1 is none, larger is more
 * @param alone seconds that a round with one worker takes in addition to its passes
 * @param oneNode the exchange on one node
 * @param severalNodes the exchange across nodes
 */
public record StepModel(
        double passConstant,
        double passPerSample,
        double overlap,
        double alone,
        Line oneNode,
        Line severalNodes) {
    private static final double[] OVERLAPS = {1, 1.5, 2, 4};

    /**
     * Penalty on the square of the overlap above 1, so that the smallest of equally good overlaps
     * wins.
     */
    private static final double LARGER_OVERLAP = 1e-3;

    /** The assumed time of an exchange relative to a pass, if it was not measured. */
    private static final double EXCHANGE = 0.1;

    /** The assumed cost of several nodes relative to one, if it was not measured. */
    private static final double ACROSS_NODES = 2;

    private static final double ACROSS_NODES_PER_WORKER = 1.1;

    /** When errors are weighted, exchanges count as at least this share of a round. */
    private static final double SMALLEST_SHARE = 0.01;

    /**
     * A straight line.
     *
     * @param constant its value at 0
     * @param slope its increase per unit
     */
    public record Line(double constant, double slope) {
        double at(double x) {
            return constant + slope * x;
        }
    }

    /** The parts of one measurement, with their seconds at speed 1. */
    private record Step(int workers, int nodes, double samples, double pass, double seconds) {
        static Step of(Measurement measured, double speed) {
            double round = measured.globalBatch() / measured.samplesPerSecond();
            double pass = passSeconds(measured);
            return new Step(
                    measured.workers(),
                    measured.nodes(),
                    (double) measured.localBatch() / measured.passes(),
                    pass * speed,
                    round - (measured.passes() - 1) * pass - pass * (1 - speed));
        }

        /** The kind of exchange: 0 none, 1 on one node, 2 across nodes. */
        int kind() {
            return workers == 1 ? 0 : nodes > 1 ? 2 : 1;
        }
    }

    /**
     * Fits the model to a job's measurements.
     *
     * @param fastest speed of the class of slots that the model is for
     * @param speeds the job's speeds on each class
     * @return null if there are no measurements
     */
    static StepModel fit(List<Measurement> measurements, double fastest, SlotSpeeds speeds) {
        List<Step> steps = new ArrayList<>(measurements.size());
        for (Measurement each : measurements) {
            if (each.samplesPerSecond() > 0) {
                steps.add(Step.of(each, speeds.of(each.speed()) / speeds.of(fastest)));
            }
        }
        if (steps.isEmpty()) {
            return null;
        }
        Line pass = passes(steps);
        StepModel best = null;
        double least = Double.POSITIVE_INFINITY;
        for (double overlap : OVERLAPS) {
            StepModel model = fit(steps, pass, overlap);
            double surplus = overlap - 1;
            double error = model.error(steps) + LARGER_OVERLAP * surplus * surplus;
            if (error < least) {
                least = error;
                best = model;
            }
        }
        return best;
    }

    /** Seconds of a measured pass, on the slots of the measurement. */
    static double passSeconds(Measurement measured) {
        double round = measured.globalBatch() / measured.samplesPerSecond();
        double busy =
                Double.isNaN(measured.computeUtilisation()) ? 1 : measured.computeUtilisation();
        return round * busy / measured.passes();
    }

    private static Line passes(List<Step> steps) {
        double[] samples = new double[steps.size()];
        double[] seconds = new double[samples.length];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = steps.get(i).samples();
            seconds[i] = steps.get(i).pass();
        }
        return pass(samples, seconds);
    }

    /**
     * Fits the duration of a pass as a line over its samples; requires at least one measurement.
     */
    static Line pass(double[] samples, double[] seconds) {
        boolean oneSize = true;
        for (double each : samples) {
            oneSize &= each == samples[0];
        }
        if (!oneSize) {
            return line(samples, seconds, seconds);
        }
        double half = weightedMean(seconds, seconds) / 2; // a and b cannot be separated
        return new Line(half, half / samples[0]);
    }

    private static StepModel fit(List<Step> steps, Line pass, double overlap) {
        Line[] exchanges = new Line[3];
        for (int kind = 0; kind < exchanges.length; kind++) {
            exchanges[kind] = exchange(steps, kind, overlap);
        }
        Step last = steps.get(steps.size() - 1);
        boolean severalMeasured = exchanges[2] != null;
        Line one = exchanges[1];
        if (one == null) {
            double constant = severalMeasured ? 0 : EXCHANGE * pass.at(last.samples());
            one = new Line(constant, 0);
        }
        Line several = exchanges[2];
        if (several == null) {
            several =
                    new Line(ACROSS_NODES * one.constant(), ACROSS_NODES_PER_WORKER * one.slope());
        }
        double alone = exchanges[0] == null ? 0 : exchanges[0].constant();
        return new StepModel(pass.constant(), pass.slope(), overlap, alone, one, several);
    }

    /** Fits the exchange of one kind; null if none was measured. */
    private static Line exchange(List<Step> steps, int kind, double overlap) {
        int count = 0;
        for (Step each : steps) {
            count += each.kind() == kind ? 1 : 0;
        }
        if (count == 0) {
            return null;
        }
        double[] others = new double[count];
        double[] seconds = new double[count];
        double[] scale = new double[count];
        boolean oneSize = true;
        int i = 0;
        for (Step each : steps) {
            if (each.kind() == kind) {
                others[i] = Math.max(0, each.workers() - 2);
                seconds[i] =
                        root(
                                Math.max(
                                        0,
                                        power(each.seconds(), overlap)
                                                - power(each.pass(), overlap)),
                                overlap);
                scale[i] = Math.max(seconds[i], SMALLEST_SHARE * each.seconds());
                oneSize &= others[i] == others[0];
                i++;
            }
        }
        return oneSize ? new Line(weightedMean(seconds, scale), 0) : line(others, seconds, scale);
    }

    /** Σ over kinds of the root mean square of log(predicted / measured). */
    private double error(List<Step> steps) {
        double[] squares = new double[3];
        int[] counts = new int[3];
        for (Step each : steps) {
            double predicted =
                    last(
                            passConstant + passPerSample * each.samples(),
                            exchange(each.workers(), each.nodes()));
            double error = StrictMath.log(predicted / each.seconds());
            squares[each.kind()] += error * error;
            counts[each.kind()]++;
        }
        double sum = 0;
        for (int kind = 0; kind < squares.length; kind++) {
            sum += counts[kind] == 0 ? 0 : Math.sqrt(squares[kind] / counts[kind]);
        }
        return sum;
    }

    /** The mean with weights 1 / scale². */
    private static double weightedMean(double[] values, double[] scale) {
        double sum = 0;
        double weights = 0;
        for (int i = 0; i < values.length; i++) {
            double weight = 1 / (scale[i] * scale[i]);
            sum += weight * values[i];
            weights += weight;
        }
        return sum / weights;
    }

    /**
     * The line with the least sum of squared errors relative to scale, without negative
     * coefficients.
     */
    private static Line line(double[] x, double[] y, double[] scale) {
        double w = 0;
        double wx = 0;
        double wy = 0;
        double wxx = 0;
        double wxy = 0;
        for (int i = 0; i < x.length; i++) {
            double weight = 1 / (scale[i] * scale[i]);
            w += weight;
            wx += weight * x[i];
            wy += weight * y[i];
            wxx += weight * x[i] * x[i];
            wxy += weight * x[i] * y[i];
        }
        double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
        double constant = (wy - slope * wx) / w;
        if (slope < 0) {
            return new Line(wy / w, 0);
        }
        return constant < 0 ? new Line(0, wxy / wxx) : new Line(constant, slope);
    }

    /** Seconds of a pass over a number of samples. */
    double pass(double samples) {
        return passConstant + passPerSample * samples;
    }

    /**
     * Seconds of a round: passes take longer on slower slots, the exchange does not.
     *
     * @param workers number of workers
     * @param nodes number of machines with these workers
     * @param samples samples per pass of a worker
     * @param passes number of passes that each worker adds up
     * @param speed speed of the slowest slot, relative to the class that the model is for
     */
    double round(int workers, int nodes, double samples, int passes, double speed) {
        double pass = pass(samples) / speed;
        return (passes - 1) * pass + last(pass, exchange(workers, nodes));
    }

    private double exchange(int workers, int nodes) {
        return workers == 1 ? alone : (nodes > 1 ? severalNodes : oneNode).at(workers - 2);
    }

    /** Seconds of the last pass with the overlapping exchange. */
    private double last(double pass, double exchange) {
        return root(power(pass, overlap) + power(exchange, overlap), overlap);
    }

    private static double power(double x, double exponent) {
        if (exponent == 1) {
            return x;
        }
        if (exponent == 1.5) {
            return x * Math.sqrt(x);
        }
        return exponent == 2 ? x * x : x * x * x * x;
    }

    private static double root(double x, double exponent) {
        if (exponent == 1) {
            return x;
        }
        if (exponent == 1.5) {
            return StrictMath.cbrt(x * x);
        }
        return exponent == 2 ? Math.sqrt(x) : Math.sqrt(Math.sqrt(x));
    }
}
