package dev.levee.k8s.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class ElasticAllocatorTest {
    private static final JobSpec SPEC = Jobs.spec("a", 0, 2, 2, 8);

    private final JobStore store = new InMemoryJobStore();
    private final ElasticAllocator allocator = allocator();

    private ElasticAllocator allocator() {
        return new ElasticAllocator(
                Policies.named("era", 240), store, Clock.fixed(Jobs.NOW, ZoneOffset.UTC));
    }

    private Decision decide(Observation seen, int slots) {
        allocator.observe(List.of(seen));
        List<Decision> decisions = allocator.decide(slots);
        assertThat(decisions).hasSize(1);
        return decisions.get(0);
    }

    @Test
    void aPartiallyFailedJobShrinksToItsHealthyWorkers() {
        assertThat(decide(Jobs.running(SPEC, 8, 3), 16).workers()).isEqualTo(3);
    }

    @Test
    void aJobWithTooFewHealthyWorkersGivesThemBack() {
        Decision decision = decide(Jobs.running(SPEC, 8, 1), 16);
        assertThat(decision.workers()).isZero();
        assertThat(decision.why())
                .isEqualTo(
                        "only 1 of 8 workers are healthy and it needs 2: its workers are"
                                + " released");
    }

    @Test
    void aFailedJobGivesItsResourcesToOthersAndIsForgotten() {
        JobSpec other = Jobs.spec("b", 1, 1, 1, 8);
        allocator.observe(
                List.of(
                        Jobs.observation(SPEC, JobPhase.FAILED, 8, 0, 16, 0),
                        Jobs.observation(other, JobPhase.WAITING, 0, 0, 16, 0)));
        assertThat(store.jobs()).contains("a");
        List<Decision> decisions = allocator.decide(8);
        assertThat(decisions).extracting(Decision::workers).containsExactly(0, 8);
        assertThat(store.jobs()).containsExactly("b");
    }

    @Test
    void outOfMemoryIsRememberedAcrossARestart() {
        decide(Jobs.observation(SPEC, JobPhase.RUNNING, 2, 2, 32, 64), 2);
        assertThat(store.find("a").orElseThrow().batchCeiling()).isEqualTo(32);
        ElasticAllocator restarted = allocator();
        restarted.observe(List.of(Jobs.observation(SPEC, JobPhase.RUNNING, 2, 2, 32, 0)));
        Decision decision = restarted.decide(2).get(0);
        assertThat(decision.localBatch()).isEqualTo(32);
        assertThat(decision.why()).endsWith("twice that ran out of memory");
    }

    @Test
    void theCeilingIsNeverBelowWhatTheUserAsked() {
        decide(Jobs.observation(SPEC, JobPhase.RUNNING, 2, 2, 16, 16), 2);
        assertThat(store.find("a").orElseThrow().batchCeiling()).isEqualTo(16);
    }

    @Test
    void aJobWhoseBatchMayShrinkStaysAtWhatFits() {
        JobSpec spec =
                new JobSpec(
                        "a",
                        Jobs.NOW,
                        new JobBounds(2, 2, 2, 64, 256, 0.1),
                        new BatchRange(128, 1, Integer.MAX_VALUE, false),
                        false);
        for (String policy : List.of(Policies.DEFAULT, "era")) {
            ElasticAllocator allocator =
                    new ElasticAllocator(
                            Policies.named(policy, 240),
                            new InMemoryJobStore(),
                            Clock.fixed(Jobs.NOW, ZoneOffset.UTC));
            for (int outOfMemory : new int[] {64, 0}) {
                allocator.observe(
                        List.of(Jobs.observation(spec, JobPhase.RUNNING, 2, 2, 32, outOfMemory)));
                assertThat(allocator.decide(2).get(0).localBatch()).as(policy).isEqualTo(32);
            }
        }
    }

    /** Returns the pause that the policy sees after a report so many seconds after the start. */
    private double pause(long seconds, int workers, double reported) {
        List<Double> pauses = new ArrayList<>();
        Policy spy =
                new Policy() {
                    @Override
                    public String name() {
                        return "spy";
                    }

                    @Override
                    public List<Decision> decide(Snapshot snapshot) {
                        snapshot.jobs().forEach(job -> pauses.add(job.pauseSeconds()));
                        return List.of(new Decision("a", workers, 16, 0.1, ""));
                    }
                };
        ElasticAllocator allocator = // each time another, as with --once
                new ElasticAllocator(
                        spy, store, Clock.fixed(Jobs.NOW.plusSeconds(seconds), ZoneOffset.UTC));
        allocator.observe(
                List.of(
                        new Observation(
                                SPEC,
                                workers > 0 ? JobPhase.RUNNING : JobPhase.WAITING,
                                workers,
                                workers,
                                16,
                                Optional.empty(),
                                0,
                                Double.NaN,
                                reported,
                                Progress.UNKNOWN)));
        allocator.decide(8);
        return pauses.get(0);
    }

    @Test
    void timeInTheQueueIsNoPauseOfARescaling() {
        assertThat(pause(0, 0, Double.NaN)).isNaN();
        assertThat(pause(3600, 0, Double.NaN)).isNaN();
        assertThat(pause(3720, 2, Double.NaN)).isNaN(); // no round yet
        assertThat(pause(3840, 2, 3700)).isNaN();
        assertThat(pause(20_000, 2, 3700)).isNaN(); // reported until the next restart
        assertThat(pause(20_120, 4, 12.5)).isEqualTo(12.5);
        assertThat(pause(30_000, 4, 12.5)).isEqualTo(12.5);
        assertThat(pause(30_120, 0, Double.NaN)).isNaN();
        assertThat(pause(31_000, 0, Double.NaN)).isNaN();
        assertThat(pause(31_120, 4, 1000)).isNaN();
    }

    @Test
    void aPauseBeforeAJobWasSeenIsUnknown() {
        assertThat(pause(0, 2, 3700)).isNaN();
        assertThat(pause(10_000, 2, 3700)).isNaN();
        // The operator rescales with a new job of the same resource, which stays running.
        assertThat(pause(10_120, 4, Double.NaN)).isNaN();
        assertThat(pause(10_240, 4, 90)).isEqualTo(90);
    }

    @Test
    void countsScalingsOfRunningJobsOnly() {
        decide(Jobs.observation(SPEC, JobPhase.WAITING, 0, 0, 16, 0), 4);
        assertThat(store.scalingRounds()).isZero();
        decide(Jobs.running(SPEC, 4, 4), 8);
        decide(Jobs.running(SPEC, 8, 8), 8);
        assertThat(store.scalingRounds()).isEqualTo(1);
        assertThat(store.find("a").orElseThrow().scalings()).isEqualTo(1);
    }
}
