package dev.levee.benchmarks.resilience;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.gar.GradientScored;
import dev.levee.gar.Rule;

import java.util.Arrays;

/**
 * A trial of one rule against one attack on random vectors. Honest rows are a true gradient of norm
 * 1 plus normal noise. Attackers replace other rows, but not row 0, which MoNNA trusts. A stateful
 * rule receives several rounds, of which only the last counts.
 *
 * @param rule the rule, which tolerates f
 * @param attack the attack
 * @param n number of rows, including attackers
 * @param f number of attackers
 * @param noise mean norm of a row's noise
 * @param seed seed of all random choices
 */
record VectorTrial(Rule rule, Attack attack, int n, int f, double noise, long seed) {
    private static final int DIMENSION = 1000;
    private static final int ROUNDS_WITH_MEMORY = 10;

    /**
     * The result of a trial.
     *
     * @param cosine cosine between the aggregate and the true gradient
     * @param peer mean cosine between an honest row and the true gradient
     * @param error distance of the aggregate from the mean of the honest rows, in units of the
     *     honest rows' root mean square distance
     */
    record Outcome(double cosine, double peer, double error) {
        /**
         * True if the aggregate is nearly as aligned with the true gradient as honest rows, and not
         * much farther from their mean.
         */
        boolean held() {
            return cosine >= 0.8 * peer && error <= 1.5;
        }
    }

    Outcome run() {
        Aggregator aggregator = new Aggregator(rule, f, seed);
        float[] gradient = gradient();
        for (int round = 0; ; round++) {
            float[][] honest = honest(gradient, round);
            float[][] rows = placed(honest, round);
            double[] scores = rule.needsScores() ? scores(rows, gradient) : new double[0];
            float[] result = aggregator.aggregate(rows, scores);
            boolean remembers =
                    rule.needsPrevious() || aggregator.last().state().values().length > 0;
            if (!remembers || round == ROUNDS_WITH_MEMORY - 1) {
                return outcome(result, honest, gradient);
            }
        }
    }

    private float[] gradient() {
        float[] gradient = normal(Draws.key(seed, -1), 1);
        double norm = Math.sqrt(dot(gradient, gradient));
        for (int i = 0; i < DIMENSION; i++) {
            gradient[i] /= (float) norm;
        }
        return gradient;
    }

    private float[][] honest(float[] gradient, int round) {
        float[][] honest = new float[n - f][];
        for (int r = 0; r < honest.length; r++) {
            honest[r] = normal(Draws.key(seed, round, r), noise / Math.sqrt(DIMENSION));
            for (int i = 0; i < DIMENSION; i++) {
                honest[r][i] += gradient[i];
            }
        }
        return honest;
    }

    private static float[] normal(long key, double scale) {
        float[] row = new float[DIMENSION];
        for (int i = 0; i < DIMENSION; i++) {
            row[i] = (float) (scale * Draws.normal(key, i));
        }
        return row;
    }

    private float[][] placed(float[][] honest, int round) {
        float[][] forged = Attacks.rows(attack, honest, f, round, seed);
        boolean[] attacks = new boolean[n];
        long key = Draws.key(seed, round, -2);
        int placed = 0;
        for (int draw = 0; placed < f; draw++) {
            int place = 1 + (int) (Draws.uniform(key, draw) * (n - 1));
            placed += attacks[place] ? 0 : 1;
            attacks[place] = true;
        }
        float[][] rows = new float[n][];
        int nextForged = 0;
        int nextHonest = 0;
        for (int r = 0; r < n; r++) {
            rows[r] = attacks[r] ? forged[nextForged++] : honest[nextHonest++];
        }
        return rows;
    }

    /** Scores of the rows: the decrease of F(x) = ½‖x‖² by a step along each row, at gradient x. */
    private double[] scores(float[][] rows, float[] gradient) {
        double own = dot(gradient, gradient);
        return Arrays.stream(rows)
                .mapToDouble(
                        row ->
                                rule instanceof GradientScored judge
                                        ? judge.score(dot(gradient, row), own, dot(row, row), 1)
                                        : dot(gradient, row) - dot(row, row) / 2)
                .toArray();
    }

    private static Outcome outcome(float[] result, float[][] honest, float[] gradient) {
        float[] mean = new float[DIMENSION];
        for (float[] row : honest) {
            for (int i = 0; i < DIMENSION; i++) {
                mean[i] += row[i] / honest.length;
            }
        }
        double spread = 0;
        double peer = 0;
        for (float[] row : honest) {
            spread += squaredDistance(row, mean) / honest.length;
            peer += cosine(row, gradient) / honest.length;
        }
        double error = Math.sqrt(squaredDistance(result, mean) / spread);
        return new Outcome(cosine(result, gradient), peer, error);
    }

    private static double cosine(float[] a, float[] b) {
        return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    }

    private static double squaredDistance(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double difference = (double) a[i] - b[i];
            sum += difference * difference;
        }
        return sum;
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }
}
