package dev.levee.connectors.data.internal.strokes;

import dev.levee.connectors.data.internal.split.Draws;

/**
 * A small gray picture drawn with a round pen. Drawing uses only additions, products, quotients and
 * square roots, which every machine rounds alike. A drawing is therefore bit-identical everywhere.
 */
final class Canvas {
    private final int side;
    private final double[] ink;

    Canvas(int side) {
        this.side = side;
        this.ink = new double[side * side];
    }

    /**
     * Draws a straight line; ink does not add up where lines cross.
     *
     * @param radius half the pen's width in pixels
     * @param softness width of the pen's edge in pixels
     */
    void line(double x0, double y0, double x1, double y1, double radius, double softness) {
        double reach = radius + softness;
        int left = Math.max(0, (int) Math.floor(Math.min(x0, x1) - reach));
        int right = Math.min(side - 1, (int) Math.ceil(Math.max(x0, x1) + reach));
        int top = Math.max(0, (int) Math.floor(Math.min(y0, y1) - reach));
        int bottom = Math.min(side - 1, (int) Math.ceil(Math.max(y0, y1) + reach));
        double dx = x1 - x0;
        double dy = y1 - y0;
        double square = dx * dx + dy * dy;
        for (int y = top; y <= bottom; y++) {
            for (int x = left; x <= right; x++) {
                double along = square > 0 ? ((x - x0) * dx + (y - y0) * dy) / square : 0;
                double at = Math.max(0, Math.min(1, along));
                double ex = x - x0 - at * dx;
                double ey = y - y0 - at * dy;
                double distance = Math.sqrt(ex * ex + ey * ey);
                double covered = 0.5 + (radius - distance) / softness;
                if (covered > ink[y * side + x]) {
                    ink[y * side + x] = Math.min(1, covered);
                }
            }
        }
    }

    /** Mixes each pixel with the mean of its four neighbors, whose weight is {@code share}. */
    void blur(double share) {
        double[] from = ink.clone();
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                double around =
                        (at(from, x - 1, y)
                                        + at(from, x + 1, y)
                                        + at(from, x, y - 1)
                                        + at(from, x, y + 1))
                                / 4;
                ink[y * side + x] = (1 - share) * from[y * side + x] + share * around;
            }
        }
    }

    private double at(double[] from, int x, int y) {
        return x < 0 || y < 0 || x >= side || y >= side ? 0 : from[y * side + x];
    }

    /**
     * The picture as bytes, row by row. Each pixel's ink is multiplied by {@code strength} and by a
     * random factor from 1 − {@code noise} to 1 + {@code noise}. Paper stays exactly 0.
     */
    byte[] develop(double strength, double noise, Draws draws) {
        byte[] pixels = new byte[ink.length];
        for (int i = 0; i < pixels.length; i++) {
            double value = ink[i] * strength * (1 + draws.uniform(-noise, noise));
            pixels[i] = (byte) (int) (255 * Math.min(1, value) + 0.5);
        }
        return pixels;
    }
}
