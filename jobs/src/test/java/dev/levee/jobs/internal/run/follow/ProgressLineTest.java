package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

class ProgressLineTest {
    private static final List<String> RULES = List.of("multi-krum", "average");
    private static final List<Boolean> NONE = List.of(false, false);

    private static Snapshot running(double round, double loss, double accuracy, double rate) {
        return running(round, loss, accuracy, rate, Score.ACCURACY, Double.NaN, 3);
    }

    private static Snapshot running(
            double round,
            double loss,
            double scored,
            double rate,
            Score score,
            double evaluator,
            double answered) {
        return new Snapshot(
                "RUNNING",
                round,
                loss,
                score,
                scored,
                evaluator,
                rate,
                answered,
                11,
                Optional.empty(),
                OptionalDouble.empty(),
                Optional.empty());
    }

    private static Snapshot with(
            Snapshot job,
            Optional<JobProgress.Primary> primary,
            OptionalDouble epsilon,
            Optional<FailedCheckpoints> failed) {
        return new Snapshot(
                job.status(),
                job.round(),
                job.loss(),
                job.score(),
                job.scored(),
                job.evaluator(),
                job.roundsPerSecond(),
                job.answered(),
                job.quorum(),
                primary,
                epsilon,
                failed);
    }

    @Test
    void showsTheRunThatWillEndLast() {
        Snapshot ahead = running(500, 0.25, 0.912, 50);
        Snapshot behind = running(200, Double.NaN, Double.NaN, 10);
        assertThat(ProgressLine.of(RULES, List.of(ahead, behind), NONE, 1000))
                .isEqualTo(
                        "round 200/1000  10.0 rounds/s  1:20 left | multi-krum round 500 loss 0.250"
                                + " accuracy 91.2 % | average round 200 loss – accuracy –");
    }

    @Test
    void saysSoBeforeAndAfter() {
        Snapshot done = running(1000, 0.25, 0.912, 50);
        assertThat(ProgressLine.of(RULES, List.of(Snapshot.NOTHING, Snapshot.NOTHING), NONE, 1000))
                .startsWith("starting | multi-krum starting loss – accuracy –");
        assertThat(ProgressLine.of(RULES, List.of(done, done), NONE, 1000))
                .startsWith("finishing | ");
        // A run that goes on after a failure has closed no round yet that would tell its speed.
        Snapshot again = running(1000, Double.NaN, Double.NaN, 0, Score.ACCURACY, Double.NaN, 11);
        assertThat(ProgressLine.of(RULES, List.of(again, again), NONE, 2000))
                .startsWith("round 1000/2000 | multi-krum round 1000 loss – accuracy –");
    }

    /** A run that ended before anybody looked at it, or has not begun, says nothing of the time. */
    @Test
    void waitsForTheSlowerRunOnly() {
        Snapshot runs = running(60, 0.25, 0.912, 4);
        assertThat(
                        ProgressLine.of(
                                RULES, List.of(Snapshot.NOTHING.in("FINISHED"), runs), NONE, 100))
                .isEqualTo(
                        "round 60/100  4.0 rounds/s  0:10 left | multi-krum done loss – accuracy –"
                                + " | average round 60 loss 0.250 accuracy 91.2 %");
        assertThat(ProgressLine.of(RULES, List.of(Snapshot.NOTHING, runs), NONE, 100))
                .startsWith("starting | multi-krum starting loss –");
    }

    @Test
    void saysWhoHasToBeWaitedFor() {
        Snapshot waits = running(3, 0.25, 0.912, 50, Score.ACCURACY, Double.NaN, 5);
        assertThat(ProgressLine.of(List.of("median"), List.of(waits), List.of(true), 1000))
                .isEqualTo(
                        "waiting for gradients of round 3, 5 of 11 there | median loss 0.250"
                                + " accuracy 91.2 %");
    }

    @Test
    void saysWhoTellsTheScore() {
        Snapshot told = running(500, 0.25, 1.5, 50, Score.RMSE, 0, 3);
        assertThat(ProgressLine.of(List.of("median"), List.of(told), List.of(false), 1000))
                .endsWith("| median loss 0.250 RMSE 1.5000 reported by w0");
    }

    @Test
    void saysHowPrivateDevicesStillAre() {
        Snapshot noisy =
                with(
                        running(100, 0.25, 0.912, 50),
                        Optional.empty(),
                        OptionalDouble.of(3.3121),
                        Optional.empty());
        assertThat(ProgressLine.of(List.of("poisson"), List.of(noisy), List.of(false), 1000))
                .endsWith("| poisson loss 0.250 accuracy 91.2 % ε 3.312");
    }

    @Test
    void saysWhichReplicaWorkersReadOnceTheyHaveLeftTheFirst() {
        assertThat(reading(new JobProgress.Primary(1, 200)))
                .endsWith(" – server 1 read since round 200");
        assertThat(reading(new JobProgress.Primary(0, 0))).endsWith(" –");
    }

    private static String reading(JobProgress.Primary primary) {
        Snapshot reads =
                with(
                        running(500, 0.25, Double.NaN, 50),
                        Optional.of(primary),
                        OptionalDouble.empty(),
                        Optional.empty());
        return ProgressLine.of(List.of("average"), List.of(reads), List.of(false), 1000);
    }

    @Test
    void saysWhoseCheckpointsFail() {
        FailedCheckpoints full = new FailedCheckpoints(3, "No space left on device", 65);
        Snapshot good = running(500, 0.25, 0.9, 10);
        Snapshot bad =
                with(
                        running(500, 0.25, 0.9, 10),
                        Optional.empty(),
                        OptionalDouble.empty(),
                        Optional.of(full));
        assertThat(ProgressLine.of(RULES, List.of(good, bad), NONE, 1000))
                .startsWith(
                        "round 500/1000  10.0 rounds/s  0:50 left | average: 3 checkpoints failed"
                                + " (No space left on device), the last good one is 1:05 old |"
                                + " multi-krum round 500 loss");
        assertThat(ProgressLine.of(List.of("average"), List.of(bad), List.of(false), 1000))
                .contains(" left | 3 checkpoints failed (No space");
    }
}
