package dev.levee.k8s.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class BoundedPolicyTest {
    /** Everything to the first by name, the rest to the next. */
    private record Greedy(double slowest) implements Policy {
        @Override
        public String name() {
            return "greedy";
        }

        @Override
        public List<Decision> decide(Snapshot snapshot) {
            int free =
                    snapshot.classes().stream()
                            .filter(each -> each.speed() >= slowest)
                            .mapToInt(SlotClass::slots)
                            .sum();
            List<Decision> decisions = new ArrayList<>();
            List<JobView> byName = new ArrayList<>(snapshot.jobs());
            byName.sort(Comparator.comparing(JobView::id));
            for (JobView job : byName) {
                int workers = Math.min(job.most(), free);
                workers = workers < job.least() ? 0 : workers;
                free -= workers;
                decisions.add(new Decision(job.id(), workers, 16, 0.1, "greedy", slowest));
            }
            List<String> order = snapshot.jobs().stream().map(JobView::id).toList();
            decisions.sort(Comparator.comparingInt(each -> order.indexOf(each.job())));
            return decisions;
        }
    }

    /** That was submitted so many seconds ago, and has never run unless it has workers. */
    private static JobView job(String id, int secondsAgo, int workers, boolean pausable) {
        JobSpec spec =
                new JobSpec(
                        id,
                        Jobs.NOW.minusSeconds(secondsAgo),
                        new JobBounds(3, 64, 3, 16, 1 << 20, 0.1));
        return Jobs.view(
                new JobSpec(id, spec.submitted(), spec.bounds(), spec.batches(), pausable),
                workers);
    }

    private static List<Integer> workers(double bound, int slots, JobView... jobs) {
        Policy policy = new BoundedPolicy(new Greedy(0), bound, 60);
        return policy.decide(new Snapshot(Jobs.NOW, slots, 0, List.of(jobs))).stream()
                .sorted(Comparator.comparing(Decision::job))
                .map(Decision::workers)
                .toList();
    }

    @Test
    void whoIsLateGetsAnEqualShareAndTheOthersWhatIsLeft() {
        JobView first = job("first", 610, 8, true);
        JobView second = job("second", 600, 0, true);
        // 600 s without workers are ten decisions, and no job counts as shorter than one.
        assertThat(workers(20, 8, first, second)).containsExactly(8, 0);
        assertThat(workers(10, 8, first, second)).containsExactly(4, 4);
        // Half of 7 is 3.
        assertThat(workers(10, 7, first, second)).containsExactly(4, 3);
        // Of three shares of 2, only one has room for the least.
        assertThat(workers(10, 6, first, second, job("third", 550, 0, true)))
                .containsExactly(3, 3, 0);
    }

    @Test
    void whoMayNotBePausedKeepsItsMinimum() {
        JobView second = job("second", 600, 0, true);
        assertThat(workers(5, 5, job("first", 100, 5, false), second)).containsExactly(5, 0);
        assertThat(workers(5, 5, job("first", 100, 5, true), second)).containsExactly(0, 3);
        // It is later than the other.
        assertThat(workers(5, 5, job("first", 610, 5, true), second)).containsExactly(5, 0);
    }

    @Test
    void aShareHasSlotsOfEachClass() {
        Policy policy = new BoundedPolicy(new Greedy(1), 5, 60);
        Snapshot snapshot =
                new Snapshot(
                        Jobs.NOW,
                        List.of(new SlotClass(1, 6, 2), new SlotClass(0.5, 6, 2)),
                        0,
                        List.of(job("first", 610, 6, true), job("second", 600, 0, true)));
        // A share of six slots, three of them fast ones.
        assertThat(policy.decide(snapshot)).extracting(Decision::workers).containsExactly(3, 3);
    }

    @Test
    void theReasonSaysSo() {
        Policy policy = new BoundedPolicy(new Greedy(0), 5, 60);
        Snapshot snapshot =
                new Snapshot(
                        Jobs.NOW,
                        8,
                        0,
                        List.of(job("first", 610, 8, true), job("second", 600, 0, true)));
        assertThat(policy.decide(snapshot).get(1).why())
                .isEqualTo(
                        "has its equal share, since its finish-time fairness would be 10.00:"
                                + " greedy");
    }

    @Test
    void aBoundBelowAnEqualShareIsOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tuning.DEFAULT.withRhoBound(0.9))
                .withMessage("--rho-bound must be at least 1, which is an equal share, got 0.9");
    }
}
