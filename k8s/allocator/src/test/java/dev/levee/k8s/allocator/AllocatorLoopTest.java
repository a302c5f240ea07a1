package dev.levee.k8s.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.AllocatorLoop.Rhythm;
import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class AllocatorLoopTest {
    private static final Duration MEASURE = Duration.ofMinutes(2);
    private static final Duration DECIDE = Duration.ofMinutes(4);

    private final List<String> happened = new ArrayList<>();
    private final VirtualTime time = new VirtualTime();
    private final Script cluster = new Script();
    private final JobStore store = new InMemoryJobStore();

    /** Time that passes while somebody sleeps, and interrupts when the test is over. */
    private static final class VirtualTime extends Clock {
        private Instant now = Jobs.NOW;
        private Instant end = Jobs.NOW;
        private Duration setBack = Duration.ZERO;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        void sleep(Duration duration) throws InterruptedException {
            now = now.plus(duration).minus(setBack);
            setBack = Duration.ZERO;
            if (now.isAfter(end)) {
                throw new InterruptedException("the test is over");
            }
        }
    }

    /** A cluster that says what it is told to. */
    private final class Script implements Cluster {
        private List<Observation> jobs = List.of();
        private String failure;
        private String refused;
        private Duration takes = Duration.ZERO;

        @Override
        public ClusterObservation observe() throws IOException {
            say("observe");
            time.now = time.now.plus(takes);
            if (failure != null) {
                throw new IOException(failure);
            }
            return new ClusterObservation(4, jobs);
        }

        @Override
        public void act(Decision decision) throws IOException {
            say("act " + decision.job() + " " + decision.workers());
            if (decision.job().equals(refused)) {
                throw new IOException("no");
            }
        }
    }

    private void say(String what) {
        happened.add(Duration.between(Jobs.NOW, time.now).toSeconds() + " " + what);
    }

    private AllocatorLoop loop(Rhythm rhythm, JobStore remembering) {
        return new AllocatorLoop(
                cluster,
                new ElasticAllocator(Policies.named("era", 240), remembering, time),
                rhythm,
                time,
                time::sleep,
                new AllocatorLoop.Listener() {
                    @Override
                    public void decided(ClusterObservation sighting, List<Decision> decisions) {
                        say("decide");
                    }

                    @Override
                    public void failed(String sentence) {
                        say("failed " + sentence);
                    }
                });
    }

    private void run(Rhythm rhythm, long seconds) {
        time.end = Jobs.NOW.plusSeconds(seconds);
        assertThatThrownBy(() -> loop(rhythm, store).run())
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void decidesAtOnceAndThenInItsRhythm() {
        run(new Rhythm(MEASURE, DECIDE), 500);
        assertThat(happened)
                .containsExactly(
                        "0 observe",
                        "0 decide",
                        "120 observe",
                        "240 observe",
                        "240 decide",
                        "360 observe",
                        "480 observe",
                        "480 decide");
    }

    @Test
    void aDecisionOutOfStepHasItsOwnObservation() {
        run(new Rhythm(MEASURE, Duration.ofSeconds(180)), 250);
        assertThat(happened)
                .containsExactly(
                        "0 observe",
                        "0 decide",
                        "120 observe",
                        "180 observe",
                        "180 decide",
                        "240 observe");
    }

    @Test
    void whatTakesLongIsNotMadeUpFor() {
        cluster.takes = Duration.ofSeconds(250);
        run(new Rhythm(MEASURE, DECIDE), 700);
        assertThat(happened)
                .containsExactly(
                        "0 observe", "250 decide", "360 observe", "610 observe", "860 decide");
    }

    @Test
    void aClockThatIsSetBackStopsNothingAndNoTimeIsTakenBack() {
        cluster.jobs = List.of(Jobs.running(Jobs.spec("a", 0, 1, 4, 4), 4, 4));
        time.setBack = Duration.ofHours(1);
        run(new Rhythm(MEASURE, DECIDE), -3200);
        assertThat(happened)
                .containsExactly(
                        "0 observe",
                        "0 decide",
                        "0 act a 4",
                        "-3480 observe",
                        "-3360 observe",
                        "-3240 observe",
                        "-3240 decide",
                        "-3240 act a 4");
        assertThat(store.find("a").orElseThrow().workerSeconds()).isEqualTo(240 * 4);
    }

    @Test
    void anUnreachableClusterIsOneSentenceAndForgetsNothing() {
        store.save("a", JobMemory.empty(Jobs.NOW));
        cluster.failure = "it does not answer";
        run(new Rhythm(MEASURE, DECIDE), 130);
        assertThat(happened)
                .containsExactly(
                        "0 observe",
                        "0 failed it does not answer",
                        "120 observe",
                        "120 failed it does not answer");
        assertThat(store.jobs()).containsExactly("a");
    }

    @Test
    void whatWasRefusedIsDecidedAgainAtTheNextLook() {
        cluster.jobs = List.of(Jobs.running(Jobs.spec("a", 0, 1, 4, 4), 4, 4));
        cluster.refused = "a";
        run(new Rhythm(MEASURE, DECIDE), 130);
        assertThat(happened)
                .containsExactly(
                        "0 observe",
                        "0 decide",
                        "0 act a 4",
                        "0 failed job a: no",
                        "120 observe",
                        "120 decide",
                        "120 act a 4",
                        "120 failed job a: no");
    }

    @Test
    void thoseThatGiveBackGoFirstAndARefusalStopsNobody() {
        JobSpec small = Jobs.spec("a", 0, 1, 1, 8);
        JobSpec large = Jobs.spec("b", 1, 1, 1, 8);
        cluster.jobs = List.of(Jobs.running(small, 1, 1), Jobs.running(large, 3, 3));
        cluster.refused = "b";
        assertThat(loop(new Rhythm(MEASURE, DECIDE), store).once()).isFalse();
        assertThat(happened)
                .containsExactly(
                        "0 observe", "0 decide", "0 act b 2", "0 failed job b: no", "0 act a 2");
    }

    @Test
    void aStoreThatCannotBeWrittenIsOneSentence() {
        assertThat(loop(new Rhythm(MEASURE, DECIDE), new Filling(0)).once()).isFalse();
        assertThat(happened).containsExactly("0 observe", "0 failed disk full");
    }

    @Test
    void aDecisionThatCannotBeRememberedIsNotDone() {
        cluster.jobs = List.of(Jobs.running(Jobs.spec("a", 0, 1, 4, 4), 4, 4));
        assertThat(loop(new Rhythm(MEASURE, DECIDE), new Filling(1)).once()).isFalse();
        assertThat(happened).containsExactly("0 observe", "0 failed disk full");
    }

    /** A store that has room for so many writes. */
    private final class Filling implements JobStore {
        private int room;

        Filling(int room) {
            this.room = room;
        }

        @Override
        public Optional<JobMemory> find(String job) {
            return store.find(job);
        }

        @Override
        public void save(String job, JobMemory memory) {
            store.save(job, memory);
        }

        @Override
        public void remove(String job) {
            store.remove(job);
        }

        @Override
        public Set<String> jobs() {
            return store.jobs();
        }

        @Override
        public long scalingRounds() {
            return store.scalingRounds();
        }

        @Override
        public void saveScalingRounds(long rounds) {
            store.saveScalingRounds(rounds);
        }

        @Override
        public void flush() {
            if (room-- == 0) {
                throw new UncheckedIOException(new IOException("disk full"));
            }
        }
    }
}
