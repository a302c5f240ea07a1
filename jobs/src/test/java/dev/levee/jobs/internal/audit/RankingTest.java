package dev.levee.jobs.internal.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Draws;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

class RankingTest {
    private static final int[] NONE = {};

    private static LoggedRound round(long number, int[] selected, double[] far, double[] losses) {
        int[] all = IntStream.range(0, far.length).toArray();
        return new LoggedRound(0, number, all, all, selected, NONE, losses, far, "m");
    }

    @Test
    void distancesAndLossesAreOfTheMedianOfTheirRound() {
        List<LoggedRound> rounds =
                List.of(
                        round(0, new int[] {0, 1}, new double[] {1, 2, 4}, new double[] {2, 2, 2}),
                        round(
                                1,
                                new int[] {0, 2},
                                new double[] {1, 2, 16},
                                new double[] {1, 4, Double.NaN}));
        Ranking ranking = Ranking.of(rounds);
        // Worker 2: 4 / 2 and 16 / 2, of which the geometric mean is 4.
        WorkerHistory far =
                ranking.workers().stream().filter(e -> e.worker() == 2).findFirst().orElseThrow();
        assertThat(far.distance()).isCloseTo(4, within(1e-12));
        assertThat(far.refused()).isEqualTo(1);
        assertThat(far.refusedShare()).isEqualTo(0.5);
        assertThat(far.loss()).isCloseTo(1, within(1e-12));
        // Logarithms ln 2 and ln 8: standard deviation √2 ln 2, standard error ln 2.
        assertThat(far.low()).isCloseTo(Math.pow(2, 2 - 1.96), within(1e-12));
        assertThat(far.high()).isCloseTo(Math.pow(2, 2 + 1.96), within(1e-12));
        WorkerHistory middle =
                ranking.workers().stream().filter(e -> e.worker() == 1).findFirst().orElseThrow();
        assertThat(middle.distance()).isCloseTo(1, within(1e-12));
        // Losses 2 of 2, and 4 of the median 2.5.
        assertThat(middle.loss()).isCloseTo(Math.sqrt(1.6), within(1e-12));
    }

    /** Honest workers differ by noise of 5 %, and one of them always by 30 %. */
    private static List<LoggedRound> noise(long seed, int workers, int rounds, double lie) {
        List<LoggedRound> all = new ArrayList<>();
        for (int r = 0; r < rounds; r++) {
            double[] far = new double[workers];
            for (int w = 0; w < workers; w++) {
                far[w] = Math.exp(0.05 * Draws.normal(Draws.key(seed, r), w)) * (w == 2 ? 1.3 : 1);
            }
            if (r % 10 == 0) {
                far[workers - 1] *= lie;
            }
            int[] ids = IntStream.range(0, workers).toArray();
            all.add(round(r, ids, far, new double[0]));
        }
        return all;
    }

    @Test
    void aLiarInOneRoundOfTenJumpsInThoseRoundsOnly() {
        for (long seed = 1; seed <= 50; seed++) {
            Ranking ranking = Ranking.of(noise(seed, 11, 100, 2));
            WorkerHistory liar =
                    ranking.workers().stream()
                            .filter(each -> each.worker() == 10)
                            .findFirst()
                            .orElseThrow();
            assertThat(liar.jumps())
                    .as("seed %d", seed)
                    .containsExactly(0L, 10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L);
            assertThat(ranking.outstanding()).as("seed %d", seed).contains(liar);
        }
    }

    @Test
    void amongHonestOnesOnlyTheOneThatAlwaysDiffersStandsOutAndHardlyAnyJumps() {
        int others = 0;
        int jumps = 0;
        for (long seed = 1; seed <= 50; seed++) {
            Ranking ranking = Ranking.of(noise(seed, 11, 100, 1));
            assertThat(ranking.workers().get(0).worker()).isEqualTo(2);
            assertThat(ranking.workers()).as("seed %d", seed).allMatch(e -> e.jumps().size() < 3);
            jumps += ranking.workers().stream().mapToInt(each -> each.jumps().size()).sum();
            others += ranking.outstanding().size() - 1;
        }
        // Of 500 honest workers some are above the nearer half by chance.
        assertThat(others).isBetween(0, 25);
        // One contribution of 550.
        assertThat(jumps).isLessThan(100);
    }

    /** One distance has no interval, so it says nothing about what is usual. */
    @Test
    void aWorkerThatAnsweredOnceHidesNoOther() {
        List<LoggedRound> rounds = noise(1, 10, 50, 1);
        double[] far = new double[11];
        Arrays.fill(far, 1);
        far[10] = 0.9; // among the nearer half
        rounds.add(round(50, new int[] {10}, far, new double[0]));
        assertThat(Ranking.of(rounds).outstanding())
                .extracting(WorkerHistory::worker)
                .containsExactly(2);
    }

    @Test
    void withoutDistancesTheRefusedComeFirst() {
        int[] all = {0, 1, 2};
        Ranking ranking =
                Ranking.of(
                        List.of(
                                new LoggedRound(
                                        0,
                                        0,
                                        all,
                                        new int[] {0, 2},
                                        new int[] {0, 2},
                                        new int[] {1},
                                        new double[] {1, 1},
                                        new double[0],
                                        "m")));
        assertThat(ranking.workers().get(0).worker()).isEqualTo(1);
        assertThat(ranking.workers().get(0).faults()).isEqualTo(1);
        assertThat(ranking.outstanding()).isEmpty();
        AuditCheck check = new AuditCheck(1, null, List.of(), List.of(), List.of(), List.of());
        assertThat(new AuditText(check, ranking).table().get(1))
                .containsExactly("1", "–", "–", "0", "100.0 %", "1", "–", "3");
    }
}
