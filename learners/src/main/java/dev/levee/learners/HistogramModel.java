package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A histogram of one feature as a model. Its parameters are the share of samples in each bin, and
 * its training loop returns the shares of a participant's batches. A round that averages these
 * shares gives a histogram over all participants. Robust rules, privacy and weights apply as in any
 * other round.
 *
 * @param feature index of the feature in a sample
 * @param features number of features of a sample
 * @param low lower bound of the first bin, which also counts smaller values
 * @param high upper bound of the last bin, which also counts larger values
 * @param bins number of bins, all of the same width
 */
public record HistogramModel(int feature, int features, double low, double high, int bins)
        implements Model {
    /** Maximum number of bins. It is enough for quantiles to a thousandth of the range. */
    private static final int MOST_BINS = 100_000;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range; one sentence
     */
    public HistogramModel {
        if (feature < 0 || feature >= features) {
            throw new IllegalArgumentException(
                    "histogram needs a feature from 0 to %d, got %d"
                            .formatted(features - 1, feature));
        }
        if (!(high > low && high - low < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "histogram needs a low below its high, got %s and %s".formatted(low, high));
        }
        if (bins < 1 || bins > MOST_BINS) {
            throw new IllegalArgumentException(
                    "histogram needs 1 to %d bins, got %d".formatted(MOST_BINS, bins));
        }
    }

    /** Creates the model from {@code feature=I,low=A,high=B,bins=N}. */
    public static final class Factory implements ModelFactory.OfTasks {
        private static final Map<String, String> DEFAULTS =
                Map.of("feature", "0", "low", "0", "high", "1", "bins", "20");

        @Override
        public String name() {
            return "histogram";
        }

        @Override
        public String form() {
            return "histogram:feature=I,low=A,high=B,bins=N";
        }

        @Override
        public Model create(String argument, int[] shape, Task task) {
            Map<String, String> values = new HashMap<>(DEFAULTS);
            for (String part : argument.isBlank() ? new String[0] : argument.split(",", -1)) {
                String[] sides = part.split("=", -1);
                if (sides.length != 2 || values.put(sides[0].strip(), sides[1].strip()) == null) {
                    throw new IllegalArgumentException(
                            "the model is written %s, got histogram:%s"
                                    .formatted(form(), argument));
                }
            }
            try {
                return new HistogramModel(
                        Integer.parseInt(values.get("feature")),
                        Arrays.stream(shape).reduce(1, Math::multiplyExact),
                        Double.parseDouble(values.get("low")),
                        Double.parseDouble(values.get("high")),
                        Integer.parseInt(values.get("bins")));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "the model is written %s with numbers, got histogram:%s"
                                .formatted(form(), argument),
                        e);
            }
        }
    }

    @Override
    public String name() {
        return "histogram:feature=%d,low=%s,high=%s,bins=%d".formatted(feature, low, high, bins);
    }

    @Override
    public Layout layout() {
        return new Layout(List.of(new Segment("shares", new long[] {bins}, 0, true)));
    }

    /** Returns zeros, because nothing has been counted. */
    @Override
    public float[] initialParameters(long seed) {
        return new float[bins];
    }

    @Override
    public List<Score> scores() {
        return List.of();
    }

    @Override
    public boolean ownLoop() {
        return true;
    }

    /**
     * A quantile by linear interpolation within a bin. Shares that noise made negative count as 0;
     * the other shares are scaled to sum to 1.
     *
     * @param shares shares in the order of the parameters
     * @param level level of the quantile, from 0 to 1
     * @return NaN if there are no shares above 0
     */
    public double quantile(float[] shares, double level) {
        double all = 0;
        for (float share : shares) {
            all += Math.max(0, share);
        }
        double wanted = level * all;
        double sum = 0;
        for (int bin = 0; bin < bins && all > 0; bin++) {
            double share = Math.max(0, shares[bin]);
            if (share > 0 && sum + share >= wanted) {
                return low + (bin + (wanted - sum) / share) * (high - low) / bins;
            }
            sum += share;
        }
        return all > 0 ? high : Double.NaN;
    }

    private int bin(float value) {
        double place = Math.floor((value - low) / (high - low) * bins);
        return (int) Math.max(0, Math.min(bins - 1, place));
    }

    @Override
    public Learner newLearner() {
        return new Counting();
    }

    /** Counts samples per bin. */
    private final class Counting implements Learner {
        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            long[] counts = new long[bins];
            add(batch, counts);
            float[] shares = shares(counts);
            float[] gradient = new float[bins];
            for (int i = 0; i < bins; i++) {
                gradient[i] = parameters[i] - shares[i];
            }
            return new Gradient(gradient, distance(parameters, shares));
        }

        @Override
        public LocalRound.Result train(float[] parameters, LocalRound round) {
            long[] counts = new long[bins];
            for (int step = 0; step < round.steps(); step++) {
                add(round.batches().apply(step), counts);
            }
            float[] shares = shares(counts);
            return new LocalRound.Result(shares, distance(parameters, shares), new byte[0]);
        }

        /**
         * Evaluates the parameters. The loss is their total variation distance from the histogram
         * of the data.
         */
        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            long[] counts = new long[bins];
            float[] sample = new float[features];
            for (int i = 0; i < data.size(); i++) {
                data.read(i, sample, 0);
                counts[bin(sample[feature])]++;
            }
            return new Evaluation(data.size(), distance(parameters, shares(counts)), Map.of());
        }

        private void add(Batch batch, long[] counts) {
            for (int i = 0; i < batch.size(); i++) {
                counts[bin(batch.features()[i * features + feature])]++;
            }
        }

        private float[] shares(long[] counts) {
            double all = Math.max(1, Arrays.stream(counts).sum());
            float[] shares = new float[bins];
            for (int i = 0; i < bins; i++) {
                shares[i] = (float) (counts[i] / all);
            }
            return shares;
        }

        private static double distance(float[] a, float[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += Math.abs((double) a[i] - b[i]);
            }
            return sum / 2;
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }
}
