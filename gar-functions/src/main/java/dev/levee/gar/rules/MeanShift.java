package dev.levee.gar.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Clusters points by mean shift with a flat kernel (Comaniciu, Meer, IEEE TPAMI 2002). A center
 * starts at every point and repeatedly moves to the mean of the points within the bandwidth, until
 * it rests. If centers lie within one bandwidth of each other, only the center with the most points
 * remains (ties: the one that started from the lower point). A point belongs to the nearest center
 * within the bandwidth, or to none.
 */
final class MeanShift {
    /** Index for points that have no center. */
    static final int NONE = -1;

    /** A center has arrived when it moves by less than this share of the bandwidth. */
    private static final double REST = 1e-3;

    private static final int MOST_MOVES = 300;

    /**
     * Tolerance in comparisons of distances, so that rounding does not separate equal points from
     * their mean.
     */
    private static final double ROOM = 1e-9;

    private final double[][] points;
    private final double bandwidth;

    private MeanShift(double[][] points, double bandwidth) {
        this.points = points;
        this.bandwidth = bandwidth + ROOM;
    }

    /**
     * The number of each point's cluster. Clusters with more points around their center have lower
     * numbers.
     */
    static int[] clusters(double[][] points, double bandwidth) {
        return new MeanShift(points, bandwidth).clusters();
    }

    /**
     * Computes a bandwidth: the mean, over all points, of the distance to the k-th nearest point, k
     * = max(1, ⌊q n⌋). The nearest point of each point is the point itself.
     */
    static double bandwidth(double[][] points, double quantile) {
        int k = Math.max(1, (int) (points.length * quantile));
        double sum = 0;
        for (double[] point : points) {
            double[] distances =
                    Arrays.stream(points).mapToDouble(x -> distance(x, point)).sorted().toArray();
            sum += distances[k - 1];
        }
        return sum / points.length;
    }

    private int[] clusters() {
        double[][] rests = new double[points.length][];
        int[] around = new int[points.length];
        for (int i = 0; i < points.length; i++) {
            rests[i] = rest(points[i]);
            double[] centre = rests[i];
            around[i] = (int) Arrays.stream(points).filter(x -> near(x, centre)).count();
        }
        List<double[]> centres = new ArrayList<>();
        IntStream.range(0, points.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> -around[i]))
                .map(i -> rests[i])
                .filter(c -> centres.stream().noneMatch(other -> near(other, c)))
                .forEach(centres::add);
        return Arrays.stream(points).mapToInt(point -> nearest(centres, point)).toArray();
    }

    private double[] rest(double[] start) {
        double[] centre = start;
        for (int move = 0; move < MOST_MOVES; move++) {
            double[] next = mean(centre);
            double moved = distance(next, centre);
            centre = next;
            if (moved <= REST * bandwidth) {
                break;
            }
        }
        return centre;
    }

    private double[] mean(double[] centre) {
        double[] mean = new double[centre.length];
        int count = 0;
        for (double[] point : points) {
            if (near(point, centre)) {
                count++;
                for (int k = 0; k < mean.length; k++) {
                    mean[k] += point[k];
                }
            }
        }
        for (int k = 0; k < mean.length; k++) {
            mean[k] /= count;
        }
        return mean;
    }

    private int nearest(List<double[]> centres, double[] point) {
        int best = 0;
        for (int c = 1; c < centres.size(); c++) {
            if (distance(centres.get(c), point) < distance(centres.get(best), point)) {
                best = c;
            }
        }
        return near(centres.get(best), point) ? best : NONE;
    }

    private boolean near(double[] a, double[] b) {
        return distance(a, b) <= bandwidth;
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return Math.sqrt(sum);
    }
}
