package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

class AuctionTest {
    /** Scales perfectly on slots whose speeds are 1 and a half. */
    private static ClassDemand perfect(int least, int most) {
        return new ClassDemand(least, most, (n, c) -> Math.log(n / (1.0 + c)));
    }

    @Test
    void equalJobsOnClassesOfDifferentSpeedGetEqualThroughput() {
        List<ClassDemand> jobs = List.of(perfect(1, 64), perfect(1, 64));
        Auction.Shares shares = Auction.share(jobs, 8, 16);
        assertThat(shares.workers()).containsExactly(8, 16);
        assertThat(shares.classes()).containsExactly(0, 1);
    }

    @Test
    void aJobAloneDoesNotMixWhereItDoesNotPay() {
        // Each further worker costs as much as a tenth of a round: 8 fast ones beat 16 mixed ones.
        ClassDemand job = new ClassDemand(1, 16, (n, c) -> Math.log(n / (1.0 + c + 0.1 * (n - 1))));
        Auction.Shares shares = Auction.share(List.of(job), 8, 8);
        assertThat(shares.workers()).containsExactly(8);
        assertThat(shares.classes()).containsExactly(0);
    }

    @Test
    void aJobThatNeedsMoreThanAClassHasIsMixed() {
        Auction.Shares shares = Auction.share(List.of(perfect(9, 9)), 8, 8);
        assertThat(shares.workers()).containsExactly(9);
        assertThat(shares.classes()).containsExactly(1);
    }

    @Test
    void ofEqualClassesItSharesEvenly() {
        List<ClassDemand> jobs =
                List.of(
                        new ClassDemand(1, 16, (n, c) -> Math.log(n)),
                        new ClassDemand(1, 16, (n, c) -> Math.log(n)),
                        new ClassDemand(1, 2, (n, c) -> Math.log(n)));
        assertThat(Auction.share(jobs, 13).workers()).containsExactly(6, 5, 2);
    }

    @Test
    void refusesMinimaThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Auction.share(List.of(perfect(9, 16)), 4, 4))
                .withMessage("1 jobs need at least 9 workers, but there are 8");
    }

    /** Values are logarithms, so a gap is a share of throughput; here per job. */
    @Test
    void isNearWhatTheIntegerProgramFinds() {
        double worst = 0;
        double sum = 0;
        int seeds = 100;
        for (int seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            int[] slots = random.ints(1 + random.nextInt(3), 2, 9).toArray();
            int all = IntStream.of(slots).sum();
            List<ClassDemand> jobs = new ArrayList<>();
            for (int left = all, j = 1 + random.nextInt(5); j > 0 && left > 0; j--) {
                int least = 1 + random.nextInt(Math.min(left, 3));
                left -= least;
                jobs.add(draw(random, least, least + random.nextInt(8)));
            }
            Auction.Shares found = Auction.share(jobs, slots);
            checkRoom(jobs, found, slots);
            double gap = byIntegerProgram(jobs, slots) - value(jobs, found);
            assertThat(gap).as("seed %d", seed).isGreaterThan(-1e-6);
            worst = Math.max(worst, gap / jobs.size());
            sum += gap / jobs.size();
        }
        assertThat(sum / seeds).isLessThan(0.005);
        assertThat(worst).isLessThan(0.05);
    }

    private static ClassDemand draw(Random random, int least, int most) {
        double share = random.nextDouble();
        double sync = 0.2 * random.nextDouble();
        int present = random.nextInt(3) * most / 2;
        double pause = 0.2 * random.nextDouble();
        return new ClassDemand(
                least,
                most,
                (n, c) ->
                        Math.log(n / (1 + 0.7 * c * share + sync * (n - 1)))
                                - 2 * pause * Math.max(0, present - n) / Math.max(1, present));
    }

    private static double value(List<ClassDemand> jobs, Auction.Shares shares) {
        double value = 0;
        for (int j = 0; j < jobs.size(); j++) {
            value += jobs.get(j).value().of(shares.workers()[j], shares.classes()[j]);
        }
        return value;
    }

    private static void checkRoom(List<ClassDemand> jobs, Auction.Shares shares, int[] slots) {
        int room = 0;
        for (int c = 0; c < slots.length; c++) {
            room += slots[c];
            int taken = 0;
            for (int j = 0; j < jobs.size(); j++) {
                assertThat(shares.workers()[j]).isBetween(jobs.get(j).least(), jobs.get(j).most());
                taken += shares.classes()[j] <= c ? shares.workers()[j] : 0;
            }
            assertThat(taken).isLessThanOrEqualTo(room);
        }
    }

    /** One binary variable for each job, number of workers and class. */
    private static double byIntegerProgram(List<ClassDemand> jobs, int[] slots) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Expression[] room = new Expression[slots.length];
        int sum = 0;
        for (int c = 0; c < slots.length; c++) {
            sum += slots[c];
            room[c] = model.newExpression("room" + c).upper(sum);
        }
        for (int j = 0; j < jobs.size(); j++) {
            ClassDemand job = jobs.get(j);
            Expression one = model.newExpression("one" + j).level(1);
            for (int c = 0; c < slots.length; c++) {
                for (int n = job.least(); n <= job.most(); n++) {
                    Variable chosen =
                            model.newVariable(j + "/" + c + "/" + n)
                                    .binary()
                                    .weight(job.value().of(n, c));
                    one.set(chosen, 1);
                    for (int slower = c; slower < slots.length; slower++) {
                        room[slower].set(chosen, n);
                    }
                }
            }
        }
        Optimisation.Result result = model.maximise();
        assertThat(result.getState().isOptimal()).isTrue();
        return result.getValue();
    }
}
