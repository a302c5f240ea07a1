package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** What a user hears of a job, by hand-made looks and a hand-made clock. */
class FollowedJobTest {
    private static final long ROUNDS = 100;
    private static final double UNKNOWN = Double.NaN;

    private long now;
    private final FollowedJob job = new FollowedJob("median", ROUNDS, UNKNOWN, () -> now);

    private List<String> look(String status, double round, double answered) {
        Snapshot snapshot =
                new Snapshot(
                        status,
                        round,
                        UNKNOWN,
                        Score.ACCURACY,
                        UNKNOWN,
                        UNKNOWN,
                        UNKNOWN,
                        answered,
                        11,
                        Optional.empty(),
                        OptionalDouble.empty(),
                        Optional.empty());
        return job.look(snapshot, URI.create("http://there"));
    }

    private void later() {
        now += FollowedJob.PATIENCE_NANOS + 1;
    }

    @Test
    void standsIfItHasNotBegunAfterAWhile() {
        look("CREATED", UNKNOWN, UNKNOWN);
        assertThat(job.stands()).isFalse();
        later();
        look("CREATED", UNKNOWN, UNKNOWN);
        assertThat(job.stands()).isTrue();
        assertThat(job.waits()).isFalse();
    }

    @Test
    void standsIfNoRoundEndsAndWaitsIfGradientsAreMissing() {
        look("RUNNING", 4, 11);
        later();
        look("RUNNING", 5, 7);
        assertThat(job.stands()).isFalse();
        later();
        look("RUNNING", 5, 11);
        assertThat(job.stands()).isTrue();
        assertThat(job.waits()).isFalse();
        look("RUNNING", 5, 7);
        assertThat(job.waits()).isTrue();
    }

    @Test
    void aRunThatIsCompleteDoesNotStand() {
        look("RUNNING", ROUNDS, 0);
        later();
        assertThat(job.stands()).isFalse();
    }

    /** Metrics are gone while a job restarts; the round stays known. */
    @Test
    void aRestartIsSaidOnceARound() {
        assertThat(look("RUNNING", 4, 11)).isEmpty();
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN))
                .containsExactly(
                        "median restarts from its newest checkpoint after a failure; see http://there");
        assertThat(job.snapshot().round()).isEqualTo(4);
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN)).isEmpty();
        assertThat(look("CREATED", UNKNOWN, UNKNOWN)).isEmpty();
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN)).isEmpty();
        assertThat(look("RUNNING", 5, 11)).isEmpty();
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN)).hasSize(1);
    }

    @Test
    void aRestartBeforeTheFirstRoundIsSaidOnce() {
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN)).hasSize(1);
        assertThat(look("CREATED", UNKNOWN, UNKNOWN)).isEmpty();
        assertThat(look("RESTARTING", UNKNOWN, UNKNOWN)).isEmpty();
    }

    @Test
    void reportsWhenALineIsDueAndItHasGoneOn() {
        assertThat(job.reports()).isFalse();
        now += TimeUnit.MILLISECONDS.toNanos(Terminal.LINE_MILLIS) + 1;
        assertThat(job.reports()).isFalse();
        look("RUNNING", 1, 11);
        assertThat(job.reports()).isTrue();
        now++;
        look("RUNNING", 2, 11);
        assertThat(job.reports()).isFalse();
        now += TimeUnit.MILLISECONDS.toNanos(Terminal.LINE_MILLIS);
        assertThat(job.reports()).isTrue();
    }
}
