package dev.levee.k8s.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;
import dev.levee.k8s.allocator.store.MemoryJson;
import dev.levee.k8s.allocator.store.StoreContent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Jobs that report rubbish, by mistake or to get more than others. */
class RubbishTest {
    private static final int SEEDS = 100;
    private static final int LOOKS = 6;
    private static final double[] RUBBISH = {
        Double.NaN,
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        0,
        -0.0,
        -1,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        1e-9,
        0.5,
        1,
        3,
        1e12,
        1e18
    };
    private static final int[] WHOLE = {
        Integer.MIN_VALUE, -1, 0, 1, 2, 3, 7, 64, 1 << 20, Integer.MAX_VALUE
    };

    static List<String> names() {
        return Policies.names();
    }

    private static double number(Random random) {
        return RUBBISH[random.nextInt(RUBBISH.length)];
    }

    private static int whole(Random random) {
        return WHOLE[random.nextInt(WHOLE.length)];
    }

    /** Of a job that says whatever comes, of an age that may be past or to come. */
    private static Observation rubbish(JobSpec spec, int workers, Random random) {
        Measurement measurement =
                new Measurement(
                        Jobs.NOW.plusSeconds(whole(random)),
                        whole(random),
                        whole(random),
                        number(random),
                        number(random),
                        number(random),
                        number(random),
                        whole(random),
                        whole(random));
        return new Observation(
                spec,
                workers > 0 ? JobPhase.RUNNING : JobPhase.WAITING,
                workers,
                random.nextInt(4) == 0 ? whole(random) : workers,
                whole(random),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(measurement),
                random.nextInt(4) == 0 ? whole(random) : 0,
                number(random),
                number(random),
                new Progress(number(random), number(random), number(random)));
    }

    private static JobSpec spec(int job, Random random) {
        int min = 1 + random.nextInt(3);
        int start = min + random.nextInt(3);
        int max = start + random.nextInt(9);
        return new JobSpec(
                "job-" + job,
                Instant.ofEpochSecond(job),
                new JobBounds(min, max, start, 8, 8L * start * (1 + random.nextInt(64)), 0.1),
                new BatchRange(8L * start, 1, 1 + random.nextInt(64), random.nextBoolean()),
                random.nextBoolean());
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverStopsAnAllocatorNorHasItGiveMoreThanThereIs(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<JobSpec> specs = new ArrayList<>();
            for (int j = 1 + random.nextInt(8); j > 0; j--) {
                specs.add(spec(j, random));
            }
            int slots = 2 + random.nextInt(20);
            List<SlotClass> classes =
                    random.nextBoolean()
                            ? List.of(new SlotClass(1, slots, 4))
                            : List.of(new SlotClass(1, 2, 2), new SlotClass(0.5, slots - 2, 2));
            InMemoryJobStore store = new InMemoryJobStore();
            Tuning tuning = Tuning.DEFAULT.withLongestWait(random.nextBoolean() ? 0 : 600);
            tuning = random.nextBoolean() ? tuning.withRhoBound(1.5) : tuning;
            ElasticAllocator allocator =
                    new ElasticAllocator(
                            Policies.named(name, 60, tuning),
                            store,
                            Clock.fixed(Jobs.NOW, ZoneOffset.UTC));
            int[] workers = new int[specs.size()];
            for (int look = 0; look < LOOKS; look++) {
                List<Observation> seen = new ArrayList<>();
                for (int j = 0; j < workers.length; j++) {
                    seen.add(rubbish(specs.get(j), workers[j], random));
                }
                allocator.observe(seen);
                long sum = 0;
                for (Decision each : allocator.decide(classes)) {
                    String which = "seed " + seed + ", " + each;
                    int index = indexOf(specs, each.job());
                    JobSpec spec = specs.get(index);
                    workers[index] = each.workers();
                    sum += each.workers();
                    if (each.workers() > 0) {
                        assertThat(each.workers())
                                .as(which)
                                .isBetween(spec.bounds().minWorkers(), spec.bounds().maxWorkers());
                    }
                    assertThat(each.localBatch()).as(which).isPositive();
                    assertThat(each.learningRate()).as(which).isPositive().isFinite();
                }
                assertThat(sum).as("seed %d", seed).isLessThanOrEqualTo(slots);
                StoreContent content = StoreContent.of(store);
                assertThat(MemoryJson.read("it", MemoryJson.write(content)))
                        .as("seed %d", seed)
                        .isEqualTo(content);
            }
        }
    }

    private static int indexOf(List<JobSpec> specs, String job) {
        int index = 0;
        while (!specs.get(index).id().equals(job)) {
            index++;
        }
        return index;
    }

    private static final JobSpec HONEST = pausable("honest", 0);
    private static final JobSpec LIAR = pausable("liar", 1);

    private static JobSpec pausable(String id, long submitted) {
        return new JobSpec(
                id,
                Instant.ofEpochSecond(submitted),
                new JobBounds(1, 8, 1, 16, 1024, 0.1),
                new BatchRange(16, 1, 64, true),
                true);
    }

    /** A round of 0.8 s on each of its workers, of which 0.7 s are computing. */
    private static Observation truth(JobSpec spec, int workers) {
        return observation(spec, workers, 20.0 * workers, 1000, 300);
    }

    private static Observation observation(
            JobSpec spec, int workers, double samplesPerSecond, double left, double noise) {
        return new Observation(
                spec,
                workers > 0 ? JobPhase.RUNNING : JobPhase.WAITING,
                workers,
                workers,
                16,
                workers > 0
                        ? Optional.of(
                                new Measurement(
                                        Jobs.NOW, workers, 16, samplesPerSecond, 0.875, 0.3))
                        : Optional.empty(),
                0,
                Double.NaN,
                Double.NaN,
                new Progress(100, left, noise));
    }

    private static List<Decision> decide(int slots, Observation... seen) {
        ElasticAllocator allocator =
                new ElasticAllocator(
                        Policies.named(Policies.DEFAULT, 60),
                        new InMemoryJobStore(),
                        Clock.fixed(Jobs.NOW, ZoneOffset.UTC));
        allocator.observe(List.of(seen));
        return allocator.decide(slots);
    }

    @Test
    void howFastAJobSaysItRunsGetsItNothing() {
        List<Decision> honest = decide(6, truth(HONEST, 2), observation(LIAR, 2, 40, 1e14, 300));
        for (double boast : new double[] {0x1p-10, 2, 0x1p10, 0x1p20}) {
            // Without an end in sight, so that nobody ends sooner for it.
            List<Decision> lied =
                    decide(6, truth(HONEST, 2), observation(LIAR, 2, 40 * boast, 1e14, 300));
            assertThat(lied)
                    .extracting(Decision::workers)
                    .isEqualTo(honest.stream().map(Decision::workers).toList());
        }
    }

    @Test
    void whatCannotBeTrueIsAsIfItWereNotSaid() {
        List<Decision> silent =
                decide(6, truth(HONEST, 2), Jobs.observation(LIAR, JobPhase.RUNNING, 1, 1, 16, 0));
        Observation nonsense =
                new Observation(
                        LIAR,
                        JobPhase.RUNNING,
                        1,
                        1,
                        -5,
                        Optional.of(Jobs.measured(1, 16, 10, 0.5, 0.5)),
                        -3,
                        Double.NEGATIVE_INFINITY,
                        -1,
                        new Progress(-1, Double.POSITIVE_INFINITY, Double.NaN));
        assertThat(decide(6, truth(HONEST, 2), nonsense)).isEqualTo(silent);
    }

    @Test
    void onePauseThatIsNotTrueDoesNotHoldUpOthers() {
        List<Observation> jobs = new ArrayList<>();
        for (int j = 0; j < 3; j++) {
            jobs.add(truth(pausable("job-" + j, 2 + j), 1));
        }
        List<Integer> before =
                decide(12, jobs.toArray(Observation[]::new)).stream()
                        .map(Decision::workers)
                        .toList();
        Observation liar = truth(LIAR, 1);
        jobs.add(
                new Observation(
                        LIAR,
                        JobPhase.RUNNING,
                        1,
                        1,
                        16,
                        liar.measurement(),
                        0,
                        Double.NaN,
                        1e9,
                        liar.progress()));
        List<Decision> after = decide(16, jobs.toArray(Observation[]::new));
        assertThat(after)
                .filteredOn(each -> !each.job().equals("liar"))
                .extracting(Decision::workers)
                .isEqualTo(before);
    }

    /** It says that it ends at once, scales without loss and needs all batches that there are. */
    @Test
    void whoeverWaitsForALiarRunsHalfOfTheTimeOnceItHasWaitedLongEnough() {
        double longestWait = 300;
        InMemoryJobStore store = new InMemoryJobStore();
        Instant[] now = {Jobs.NOW};
        ElasticAllocator allocator =
                new ElasticAllocator(
                        Policies.named(
                                Policies.DEFAULT, 60, Tuning.DEFAULT.withLongestWait(longestWait)),
                        store,
                        new ManualClock(now));
        int honest = 1;
        int liar = 0;
        int ran = 0;
        int most = 0;
        int decisions = 200;
        for (int i = 0; i < decisions; i++) {
            allocator.observe(
                    List.of(
                            observation(HONEST, honest, 20.0 * honest, 1e6, 300),
                            observation(LIAR, liar, 1e6 * liar, 1e-3, Double.POSITIVE_INFINITY)));
            for (Decision each : allocator.decide(1)) {
                if (each.job().equals("honest")) {
                    honest = each.workers();
                } else {
                    liar = each.workers();
                }
            }
            ran += honest > 0 ? 1 : 0;
            most = Math.max(most, honest + liar);
            now[0] = now[0].plusSeconds(60);
        }
        assertThat(ran).isGreaterThanOrEqualTo((int) (0.45 * decisions)).isLessThan(decisions);
        assertThat(most).isEqualTo(1);
    }

    /** A clock that is set by hand. */
    private static final class ManualClock extends Clock {
        private final Instant[] now;

        ManualClock(Instant[] now) {
            this.now = now;
        }

        @Override
        public Instant instant() {
            return now[0];
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }
}
