package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.vector.Slices;

import java.util.List;
import java.util.SplittableRandom;

/** What schedules of both kinds draw from a seed; the subclass decides the order. */
abstract class DrawnSchedule {
    final long seed;
    final SplittableRandom random;
    final Rule rule;
    final int n;
    final int f;

    DrawnSchedule(long seed, int stream, List<Rule> rules, int mostWorkers, int most) {
        this.seed = seed;
        random = new SplittableRandom(Draws.key(seed, stream));
        rule = rules.get(random.nextInt(rules.size()));
        n = between(Math.max(3, rule.minimumRows(0)), mostWorkers);
        int next = 1;
        while (next <= most && rule.minimumRows(next) <= n && next < n && random.nextInt(4) > 0) {
            next++;
        }
        f = next - 1;
    }

    final int between(int low, int high) {
        return low + random.nextInt(Math.max(low, high) - low + 1);
    }

    final Slices drawSlices(int mostBlockSize, int mostWholeBlocks) {
        int blockSize = between(1, mostBlockSize);
        int dimension = blockSize * between(0, mostWholeBlocks) + between(1, blockSize);
        int buffers = random.nextInt(3) == 0 ? random.nextInt(dimension) : 0;
        return new Slices(dimension, dimension - buffers, blockSize);
    }

    /** Draws the number of contributions that close a round. */
    final int drawQuorum() {
        int least = Math.max(f + 1, rule.minimumRows(f));
        boolean fewer = n - least >= Math.max(1, f) && random.nextBoolean();
        return fewer ? n - between(Math.max(1, f), n - least) : n;
    }

    final Quadratics drawProblem(Slices slices, int breakers) {
        int buffers = slices.dimension() - slices.trainable();
        double broken = breakers > 0 ? 0.3 : 0;
        return new Quadratics(slices.trainable(), buffers, random.nextLong(), broken, breakers);
    }
}
