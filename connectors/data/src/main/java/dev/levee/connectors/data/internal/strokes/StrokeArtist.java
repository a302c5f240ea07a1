package dev.levee.connectors.data.internal.strokes;

import dev.levee.connectors.data.internal.split.Draws;

/**
 * Draws a digit that looks handwritten. It picks one of the variants of the digit, distorts it at
 * random (wobble, slant, stretch, rotation, shift), and draws the curve with a pen of random width.
 */
final class StrokeArtist {
    static final int SIDE = 28;

    private static final int STEPS = 6;

    private final Draws draws;
    private final Canvas canvas = new Canvas(SIDE);

    private final double xx;
    private final double xy;
    private final double yx;
    private final double yy;
    private final double left;
    private final double top;
    private final double wobble;
    private final double[] wave = new double[8];
    private final double radius;
    private final double softness;

    private StrokeArtist(Draws draws) {
        this.draws = draws;
        double turn = 0.09 * draws.normal();
        double slant = 0.14 + 0.19 * draws.normal();
        double width = draws.uniform(11, 18.5);
        double height = draws.uniform(16.5, 21);
        double cos = StrictMath.cos(turn);
        double sin = StrictMath.sin(turn);
        xx = width * cos;
        xy = -height * (sin + slant * cos);
        yx = width * sin;
        yy = height * (cos - slant * sin);
        left = (SIDE - 1) / 2.0 + 1.1 * draws.normal();
        top = (SIDE - 1) / 2.0 + 1.1 * draws.normal();
        wobble = draws.uniform(0.015, 0.045);
        for (int i = 0; i < wave.length; i += 4) {
            wave[i] = 0.05 * draws.normal();
            wave[i + 1] = draws.uniform(1.5, 6);
            wave[i + 2] = draws.uniform(1.5, 6);
            wave[i + 3] = draws.uniform(0, 6.3);
        }
        radius = draws.uniform(0.65, 1.75);
        softness = draws.uniform(0.8, 1.4);
    }

    /** Draws a digit; the same key and digit give the same bytes. */
    static byte[] draw(int digit, long... key) {
        Draws draws = new Draws(key);
        return new StrokeArtist(draws).draw(Skeletons.of(digit));
    }

    private byte[] draw(double[][][][] ways) {
        double[] last = null;
        double[] lastFrom = null;
        for (double[][] stroke : ways[draws.below(ways.length)]) {
            double[][] points = new double[stroke.length][];
            for (int i = 0; i < stroke.length; i++) {
                boolean corner =
                        i == 0
                                && lastFrom != null
                                && lastFrom[0] == stroke[0][0]
                                && lastFrom[1] == stroke[0][1];
                points[i] = corner ? last : place(stroke[i][0], stroke[i][1]);
            }
            last = points[points.length - 1];
            lastFrom = stroke[stroke.length - 1];
            pull(points);
        }
        canvas.blur(draws.uniform(0, 0.3));
        return canvas.develop(draws.uniform(0.9, 1.25), 0.1, draws);
    }

    /** Maps a point of the unit square to its position on the sheet. */
    private double[] place(double x, double y) {
        double u = x - 0.5 + wobble * draws.normal() + bend(0, x, y);
        double v = y - 0.5 + wobble * draws.normal() + bend(4, x, y);
        return new double[] {left + xx * u + xy * v, top + yx * u + yy * v};
    }

    private double bend(int axis, double x, double y) {
        return wave[axis]
                * StrictMath.sin(wave[axis + 1] * x + wave[axis + 2] * y + wave[axis + 3]);
    }

    /** Draws a Catmull-Rom curve through the points. */
    private void pull(double[][] points) {
        for (int i = 0; i + 1 < points.length; i++) {
            double[] before = points[Math.max(0, i - 1)];
            double[] from = points[i];
            double[] to = points[i + 1];
            double[] after = points[Math.min(points.length - 1, i + 2)];
            double x = from[0];
            double y = from[1];
            for (int step = 1; step <= STEPS; step++) {
                double t = (double) step / STEPS;
                double nextX = curve(before[0], from[0], to[0], after[0], t);
                double nextY = curve(before[1], from[1], to[1], after[1], t);
                canvas.line(x, y, nextX, nextY, radius, softness);
                x = nextX;
                y = nextY;
            }
        }
    }

    private static double curve(double a, double b, double c, double d, double t) {
        double slope = (c - a) / 2;
        double bow = a - 2.5 * b + 2 * c - 0.5 * d;
        double twist = (d - a) / 2 + 1.5 * (b - c);
        return b + t * (slope + t * (bow + t * twist));
    }
}
