package dev.levee.gar.attacks;

import dev.levee.gar.Round;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * An attack on comparative gradient elimination, which keeps the n − f rows with the smallest
 * norms. It sends minus the sum of the honest rows that CGE keeps together with all f attackers,
 * scaled to slightly below (by 2⁻¹⁰) the smallest norm of the other honest rows. Non-finite norms
 * count as largest; the norm sent is at most the largest float.
 */
public record AntiCge() implements WholeCollusion {
    @Override
    public String name() {
        return "anti-cge";
    }

    @Override
    public float[] row(HonestRows honest, Round round) {
        double[] squares = MeasuredRows.squaredNorms(honest);
        int[] order = ascending(squares);
        int left = Math.max(0, honest.count() - Math.max(1, round.f()));
        int[] kept = Arrays.copyOf(order, Math.max(1, left));
        Arrays.sort(kept);
        HonestRows sum =
                new HonestRows(
                        Arrays.stream(kept).mapToObj(i -> honest.rows()[i]).toArray(float[][]::new),
                        honest.length());
        double displaced = Math.sqrt(squares[order[left]]);
        double norm = displaced < Float.MAX_VALUE ? displaced : Float.MAX_VALUE;
        return row(sum, MeasuredRows.JUST_BELOW * norm);
    }

    /**
     * Indices that sort the values in ascending order. Equal values keep their order; NaN comes
     * last.
     */
    private static int[] ascending(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Minus the mean of the rows, scaled to a norm. The mean has the direction of the sum. */
    private static float[] row(HonestRows honest, double norm) {
        Direction direction = Direction.unit(honest);
        double[] p = new double[HonestRows.WIDTH];
        float[] row = new float[honest.length()];
        honest.forEachMean(
                (from, count, means, deviations) -> {
                    direction.write(from, count, means, deviations, p);
                    for (int i = 0; i < count; i++) {
                        row[from + i] = (float) (norm * p[i]);
                    }
                });
        return row;
    }
}
