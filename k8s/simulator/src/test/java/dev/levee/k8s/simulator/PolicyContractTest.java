package dev.levee.k8s.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.JobView;
import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.Progress;
import dev.levee.k8s.allocator.SlotClass;
import dev.levee.k8s.allocator.Snapshot;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What every policy keeps. */
class PolicyContractTest {
    private static final int SEEDS = 300;

    private static final String BOUND = " with a bound";

    /** All policies, as they are and with a bound on finish-time fairness. */
    static List<String> names() {
        return Policies.names().stream().flatMap(name -> Stream.of(name, name + BOUND)).toList();
    }

    private static Policy named(String name) {
        return name.endsWith(BOUND)
                ? Policies.named(
                        name.substring(0, name.length() - BOUND.length()),
                        240,
                        Tuning.DEFAULT.withRhoBound(1.5))
                : Policies.named(name, 240);
    }

    @ParameterizedTest
    @MethodSource("names")
    void keepsCapacityAndBounds(String name) {
        Policy policy = named(name);
        assertThat(policy.name()).isEqualTo(name.replace(BOUND, ""));
        for (int seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = draw(new Random(seed));
            List<Decision> decisions = policy.decide(snapshot);
            assertThat(decisions).hasSameSizeAs(snapshot.jobs());
            long sum = 0;
            for (int i = 0; i < decisions.size(); i++) {
                JobView job = snapshot.jobs().get(i);
                Decision decision = decisions.get(i);
                String which = "seed " + seed + ", " + decision;
                assertThat(decision.job()).as(which).isEqualTo(job.id());
                assertThat(decision.why()).as(which).isNotBlank();
                assertThat(decision.learningRate()).as(which).isPositive();
                int most = policy.choosesBatch() ? job.mostAtAnyBatch() : job.most();
                if (decision.workers() != 0) {
                    assertThat(decision.workers()).as(which).isBetween(job.least(), most);
                }
                assertThat(decision.localBatch())
                        .as(which)
                        .isGreaterThanOrEqualTo(job.spec().batches().leastLocal());
                if (!policy.choosesBatch()) {
                    assertThat(decision.localBatch())
                            .as(which)
                            .isBetween(job.spec().bounds().localBatch(), 2 * job.localBatch());
                }
                if (policy.choosesBatch() || decision.localBatch() > job.localBatch()) {
                    assertThat((long) decision.localBatch() * decision.workers())
                            .as(which)
                            .isLessThanOrEqualTo(job.spec().bounds().maxGlobalBatch());
                }
                sum += decision.workers();
            }
            assertThat(sum).as("seed %d", seed).isLessThanOrEqualTo(snapshot.slots());
            thereIsRoomOnSlotsFastEnough(snapshot, decisions);
        }
    }

    private static void thereIsRoomOnSlotsFastEnough(Snapshot snapshot, List<Decision> decisions) {
        int room = 0;
        for (SlotClass each : snapshot.classes()) {
            room += each.slots();
            int taken = 0;
            for (Decision decision : decisions) {
                taken += decision.slowest() >= each.speed() ? decision.workers() : 0;
            }
            assertThat(taken).as("%s", decisions).isLessThanOrEqualTo(room);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void isAFunctionOfTheSnapshot(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Snapshot snapshot = draw(new Random(seed));
            List<JobView> backwards = new ArrayList<>(snapshot.jobs());
            java.util.Collections.reverse(backwards);
            Snapshot same =
                    new Snapshot(
                            snapshot.now(),
                            snapshot.classes(),
                            snapshot.scalingRounds(),
                            backwards);
            assertThat(named(name).decide(same))
                    .as("seed %d", seed)
                    .isEqualTo(named(name).decide(snapshot));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyJobEndsInTheEnd(String name) {
        for (String cluster : List.of("4x4", "2x4@0.5,2x4", "3x2,5x1@0.25,5x1@0.5")) {
            everyJobEnds(name, ClusterSize.parse(cluster));
        }
    }

    private static void everyJobEnds(String name, ClusterSize cluster) {
        Outcome outcome =
                Simulation.run(
                        SyntheticWorkload.draw(
                                30, 1, SubmissionSchedule.named("all-at-once", 1, 1), 3),
                        named(name),
                        cluster,
                        new Timing(120, 240, 30),
                        point -> assertThat(point.utilisation()).isBetween(0.0, 1.0));
        assertThat(outcome.jobs()).hasSize(30).allMatch(job -> job.finished() > job.started());
    }

    /** Elastic policies promise a start as soon as minima fit: here they do at once. */
    @ParameterizedTest
    @MethodSource("names")
    void nobodyWaitsWhileItsStartFitsBesideAll(String name) {
        List<JobView> jobs = new ArrayList<>();
        for (int j = 0; j < 8; j++) {
            jobs.add(Jobs.view(Jobs.spec("job-" + j, j, 1, 2, 2), 0));
        }
        assertThat(named(name).decide(new Snapshot(Jobs.NOW, 16, 0, jobs)))
                .allMatch(decision -> decision.workers() >= 1);
    }

    @Test
    void anUnknownNameIsOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policies.named("pollux", 240))
                .withMessageStartingWith("unknown policy pollux: known are static, autoscaler");
    }

    private static Snapshot draw(Random random) {
        List<JobView> jobs = new ArrayList<>();
        int count = random.nextInt(12);
        int used = 0;
        for (int j = 0; j < count; j++) {
            int min = 1 + random.nextInt(3);
            int start = min + random.nextInt(4);
            int max = start + random.nextInt(12);
            JobSpec spec =
                    new JobSpec(
                            "job-" + j,
                            Jobs.NOW.minusSeconds(random.nextInt(500)),
                            new JobBounds(
                                    min,
                                    max,
                                    start,
                                    8,
                                    (long) 8 * max * (1 + random.nextInt(4)),
                                    0.1));
            int workers = random.nextInt(3) == 0 ? 0 : min + random.nextInt(max - min + 1);
            int batch = random.nextBoolean() ? 8 : 16;
            if (workers > 0 && (long) workers * batch > spec.bounds().maxGlobalBatch()) {
                batch = 8;
            }
            List<Measurement> history = new ArrayList<>();
            for (int m = random.nextInt(5); m > 0 && workers > 0; m--) {
                int n = m == 1 ? workers : 1 + random.nextInt(max);
                history.add(
                        Jobs.measured(
                                n,
                                m == 1 ? batch : 8,
                                1 + 100 * random.nextDouble(),
                                random.nextDouble(),
                                random.nextDouble()));
            }
            JobMemory memory =
                    new JobMemory(
                            history,
                            random.nextInt(5),
                            random.nextInt(4) == 0 ? 16 : Integer.MAX_VALUE,
                            random.nextInt(100_000),
                            Jobs.NOW,
                            workers);
            used += workers;
            jobs.add(
                    new JobView(
                            spec,
                            workers,
                            workers > min && random.nextInt(5) == 0 ? workers : Integer.MAX_VALUE,
                            batch,
                            memory,
                            random.nextBoolean() ? Double.NaN : 1000 * random.nextDouble(),
                            random.nextBoolean() ? Double.NaN : 60 * random.nextDouble(),
                            Progress.UNKNOWN));
        }
        int slots = Math.max(0, used + random.nextInt(20) - 8);
        int fast = random.nextInt(slots + 1);
        List<SlotClass> classes = List.of(new SlotClass(1, fast), new SlotClass(0.5, slots - fast));
        return new Snapshot(Jobs.NOW, classes, 4, jobs);
    }
}
