package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class GreedyTest {
    private record Job(int least, int most, int present, double efficiency, double penalty) {
        Demand demand() {
            return Demand.linear(least, most, present, efficiency, penalty);
        }
    }

    @Test
    void theMoreEfficientGrows() {
        List<Demand> jobs =
                List.of(
                        Demand.linear(1, 16, 4, 0.9, 0), //
                        Demand.linear(1, 16, 4, 0.5, 0));
        assertThat(Greedy.share(jobs, 12)).containsExactly(11, 1);
    }

    @Test
    void aPenaltyKeepsWorkersWhereTheyAre() {
        // Moving one gains 0.9 − 0.5 and costs 0.3 at each end.
        List<Demand> jobs =
                List.of(
                        Demand.linear(1, 16, 4, 0.9, 0.3), //
                        Demand.linear(1, 16, 4, 0.5, 0.3));
        assertThat(Greedy.share(jobs, 8)).containsExactly(4, 4);
    }

    @Test
    void equalsShareEvenly() {
        List<Demand> jobs =
                List.of(
                        Demand.linear(1, 16, 0, 1, 0),
                        Demand.linear(1, 16, 0, 1, 0),
                        Demand.linear(1, 2, 0, 1, 0));
        assertThat(Greedy.share(jobs, 13)).containsExactly(6, 5, 2);
    }

    @Test
    void allIsUsedEvenWhereItIsWorthLittle() {
        assertThat(Greedy.share(List.of(Demand.linear(1, 5, 1, 0.1, 0.9)), 9)).containsExactly(5);
        assertThat(Greedy.share(List.of(), 9)).isEmpty();
    }

    @Test
    void refusesMinimaThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Greedy.share(List.of(Demand.linear(9, 16, 0, 1, 0)), 8))
                .withMessage("1 jobs need at least 9 workers, but there are 8");
    }

    @Test
    void findsWhatTheIntegerProgramFinds() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Job> jobs = draw(random);
            int least = jobs.stream().mapToInt(Job::least).sum();
            int total = least + random.nextInt(40);
            int[] found = Greedy.share(jobs.stream().map(Job::demand).toList(), total);
            assertThat(value(jobs, found))
                    .as("seed %d", seed)
                    .isCloseTo(byIntegerProgram(jobs, total), within(1e-6));
            int most = jobs.stream().mapToInt(Job::most).sum();
            int sum = 0;
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i]).isBetween(jobs.get(i).least(), jobs.get(i).most());
                sum += found[i];
            }
            assertThat(sum).as("seed %d", seed).isEqualTo(Math.min(total, most));
        }
    }

    private static List<Job> draw(Random random) {
        List<Job> jobs = new ArrayList<>();
        for (int j = random.nextInt(7); j >= 0; j--) {
            int least = 1 + random.nextInt(4);
            int most = least + random.nextInt(12);
            int present = random.nextInt(4) == 0 ? 0 : least + random.nextInt(most - least + 1);
            jobs.add(
                    new Job(
                            least,
                            most,
                            present,
                            0.1 + random.nextDouble(),
                            random.nextInt(3) == 0 ? 0 : random.nextDouble()));
        }
        return jobs;
    }

    private static double value(List<Job> jobs, int[] workers) {
        double value = 0;
        for (int i = 0; i < workers.length; i++) {
            int delta = workers[i] - jobs.get(i).present();
            value += jobs.get(i).efficiency() * delta - jobs.get(i).penalty() * Math.abs(delta);
        }
        return value;
    }

    /** Σ e·Δ − γ·y, y ≥ ±Δ, min ≤ n + Δ ≤ max, Σ (n + Δ) = min(total, Σ max), Δ integer. */
    private static double byIntegerProgram(List<Job> jobs, int total) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Expression sum = model.newExpression("sum");
        int present = 0;
        int most = 0;
        for (int j = 0; j < jobs.size(); j++) {
            Job job = jobs.get(j);
            Variable delta =
                    model.newVariable("delta" + j)
                            .integer(true)
                            .lower(job.least() - job.present())
                            .upper(job.most() - job.present())
                            .weight(job.efficiency());
            Variable size = model.newVariable("size" + j).lower(0).weight(-job.penalty());
            model.newExpression("up" + j).set(size, 1).set(delta, -1).lower(0);
            model.newExpression("down" + j).set(size, 1).set(delta, 1).lower(0);
            sum.set(delta, 1);
            present += job.present();
            most += job.most();
        }
        sum.level(Math.min(total, most) - present);
        Optimisation.Result result = model.maximise();
        assertThat(result.getState().isOptimal()).isTrue();
        return result.getValue();
    }

    @Test
    void tenThousandJobsShareAHundredThousandSlots() {
        Random random = new Random(1);
        List<Demand> jobs = new ArrayList<>();
        for (int j = 0; j < 10_000; j++) {
            jobs.add(Demand.linear(1, 64, random.nextInt(20), random.nextDouble(), 0.1));
        }
        int[] workers = Greedy.share(jobs, 100_000);
        assertThat(Arrays.stream(workers).sum()).isEqualTo(100_000);
    }
}
