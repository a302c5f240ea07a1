package dev.levee.gar.attacks;

/**
 * The line m(γ) = mean(h) + γ·p away from the mean of the honest rows h, with the sums that give
 * its distance from each honest row: ‖m(γ) − h_i‖² = c_i + 2γ·b_i + γ²·a, where a = ‖p‖², b_i = ⟨p,
 * mean − h_i⟩, c_i = ‖mean − h_i‖². Sums are formed in double, in order of the coordinates.
 */
final class PerturbationLine {
    private final HonestRows honest;
    private final Direction direction;
    private final double[] along;
    private final double[] spread;
    private double square;

    PerturbationLine(HonestRows honest, Direction direction) {
        this.honest = honest;
        this.direction = direction;
        along = new double[honest.count()];
        spread = new double[honest.count()];
        double[] p = new double[HonestRows.WIDTH];
        honest.forEach(
                (from, count, means, deviations) -> {
                    direction.write(from, count, means, deviations, p);
                    add(from, count, means, p);
                });
    }

    private void add(int from, int count, double[] means, double[] p) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += p[i] * p[i];
        }
        square += squares;
        for (int r = 0; r < along.length; r++) {
            float[] row = honest.rows()[r];
            double products = 0;
            double distances = 0;
            for (int i = 0; i < count; i++) {
                double difference = means[i] - row[from + i];
                products += p[i] * difference;
                distances += difference * difference;
            }
            along[r] += products;
            spread[r] += distances;
        }
    }

    /** Number of honest rows. */
    int rows() {
        return along.length;
    }

    /** ‖p‖². */
    double square() {
        return square;
    }

    /** ‖m(γ) − h_i‖². */
    double squaredDistance(int i, double gamma) {
        return spread[i] + gamma * (2 * along[i] + gamma * square);
    }

    /** The largest γ with ‖m(γ) − h_i‖² at most {@code bound}; 0 if no γ above 0 has this. */
    double largest(int i, double bound) {
        return root(square, along[i], bound - spread[i]);
    }

    /** The largest γ with Σ_i ‖m(γ) − h_i‖² at most {@code bound}; 0 if no γ above 0 has this. */
    double largestOfSum(double bound) {
        double b = 0;
        double c = 0;
        for (int i = 0; i < along.length; i++) {
            b += along[i];
            c += spread[i];
        }
        return root(along.length * square, b, bound - c);
    }

    /** The largest γ with aγ² + 2bγ ≤ room, without cancellation; 0 if no γ above 0 has this. */
    private static double root(double a, double b, double room) {
        if (!(a > 0 && room > 0)) {
            return 0;
        }
        double root = Math.sqrt(b * b + a * room);
        double gamma = b > 0 ? room / (b + root) : (root - b) / a;
        return gamma < Double.POSITIVE_INFINITY ? gamma : 0;
    }

    /** The row m(γ). */
    float[] at(double gamma) {
        float[] row = new float[honest.length()];
        double[] p = new double[HonestRows.WIDTH];
        honest.forEach(
                (from, count, means, deviations) -> {
                    direction.write(from, count, means, deviations, p);
                    for (int i = 0; i < count; i++) {
                        row[from + i] = (float) (means[i] + gamma * p[i]);
                    }
                });
        return row;
    }
}
