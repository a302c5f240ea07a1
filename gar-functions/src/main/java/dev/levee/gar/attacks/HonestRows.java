package dev.levee.gar.attacks;

/** Per-coordinate statistics of the honest rows, in double, in order of the rows. */
final class HonestRows {
    private final double[] means;
    private final double[] squares;
    private final int rows;

    HonestRows(float[][] honest, int length) {
        rows = honest.length;
        if (rows == 0) {
            throw new IllegalArgumentException("the attack needs at least one honest row to see");
        }
        means = new double[length];
        squares = new double[length];
        for (float[] row : honest) {
            for (int i = 0; i < length; i++) {
                means[i] += row[i];
            }
        }
        for (int i = 0; i < length; i++) {
            means[i] /= rows;
        }
        for (float[] row : honest) {
            for (int i = 0; i < length; i++) {
                double difference = row[i] - means[i];
                squares[i] += difference * difference;
            }
        }
    }

    double mean(int i) {
        return means[i];
    }

    /** Standard deviation with ddof 1; 0 of a single row. */
    double deviation(int i) {
        return rows == 1 ? 0 : Math.sqrt(squares[i] / (rows - 1));
    }
}
