package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Changes;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.fuzz.Quadratics;
import dev.levee.operators.testing.plain.PlainLoop;
import dev.levee.operators.testing.plain.SynchronousRows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Set;
import java.util.TreeSet;

class RoundDriverTest {
    private static final Slices SLICES = new Slices(7, 6, 3);
    private static final Quadratics PROBLEM = new Quadratics(6, 1, 5, 0, 0);
    private static final float[] INITIAL = PROBLEM.initialParameters(3);

    private static RoundDriver driver(Training training, long seed) {
        return RoundDriver.of(training, seed).slices(SLICES).initial(INITIAL).gradients(PROBLEM);
    }

    private static float[] plain(Training training) {
        return PlainLoop.run(
                training, SLICES, INITIAL, new SynchronousRows(training, SLICES, PROBLEM));
    }

    @Test
    void aStepWorkedByHand() {
        Training training = Runs.of(2, 0).rounds(2).training();
        DrivenRun run =
                RoundDriver.of(training, 1)
                        .slices(new Slices(2, 2, 1))
                        .initial(new float[] {8, 0})
                        .gradients(
                                task ->
                                        new Gradient(
                                                new float[] {
                                                    task.parameters()[0], 2 * task.worker()
                                                },
                                                task.worker()))
                        .run();
        // Each round halves x₀, and moves x₁ by half the mean of 0 and 2.
        assertThat(run.parameters()).containsExactly(2, -1);
        assertThat(run.rounds()).extracting(RoundReport::round).containsExactly(0L, 1L);
        assertThat(run.rounds()).extracting(RoundReport::loss).containsExactly(0.5, 0.5);
        assertThat(run.workers()).hasSize(3);
        assertThat(run.workers().get(1).accepted()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "average",
                "median",
                "trimmed-mean",
                "krum",
                "multi-krum",
                "nnm | median",
                "clip(2) | nnm | trimmed-mean"
            })
    void anUndisturbedRunEqualsAPlainLoop(String rule) {
        for (OptimizerKind optimizer : OptimizerKind.values()) {
            for (boolean atServer : new boolean[] {false, true}) {
                Training training =
                        Runs.of(7, 2)
                                .rule(rule)
                                .attack(2, "little-is-enough")
                                .optimizer(optimizer)
                                .serverMomentum(atServer ? 0.9 : 0)
                                .workerMomentum(atServer ? 0 : 0.9)
                                .training();
                assertThat(driver(training, 0).run().parameters()).isEqualTo(plain(training));
            }
        }
    }

    /** 36 blocks of rows are more than stay in a cache: pairs are measured when a round closes. */
    @ParameterizedTest
    @ValueSource(strings = {"multi-krum", "nnm | median", "geometric-median"})
    void aRunOfManyRowsThatCrashesEqualsAPlainLoop(String rule) {
        Training training =
                Runs.of(12, 3).rule(rule).attack(3, "little-is-enough").rounds(8).training();
        assertThat(
                        training.admission()
                                .measured(training.rule().look(), 12, SLICES.count())
                                .nothing())
                .isTrue();
        float[] plain = plain(training);
        for (long seed = 0; seed < 5; seed++) {
            DrivenRun run =
                    driver(training, seed)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                            .run();
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(plain);
        }
    }

    @Test
    void aRunThatCrashesEqualsAPlainLoopToo() {
        Training training =
                Runs.of(5, 1).rule("multi-krum").attack(1, "reversed").rounds(20).training();
        float[] plain = plain(training);
        int restores = 0;
        for (long seed = 0; seed < 20; seed++) {
            DrivenRun run =
                    driver(training, seed)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                            .run();
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(plain);
            restores += run.restores();
        }
        assertThat(restores).isGreaterThan(100);
    }

    @Test
    void anElasticRunEqualsAPlainLoopOnItsCourse() {
        Training training =
                Runs.of(4, 1)
                        .rule("median")
                        .attack(1, "reversed")
                        .workerMomentum(0.9)
                        .elastic(3, 6, 60, 0)
                        .rounds(20)
                        .training();
        Set<Integer> workers = new TreeSet<>();
        Set<Integer> batches = new TreeSet<>();
        for (long seed = 0; seed < 20; seed++) {
            DrivenRun run =
                    driver(training, seed)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                            .changes(new Changes(0.02, 12))
                            .run();
            float[] plain =
                    PlainLoop.run(
                            training,
                            SLICES,
                            INITIAL,
                            run.course(),
                            new SynchronousRows(training, run.course(), SLICES, PROBLEM),
                            task -> 0);
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(plain);
            run.course().forEach(settings -> workers.add(settings.workers()));
            run.course().forEach(settings -> batches.add(settings.batchSize()));
        }
        assertThat(workers).containsExactly(3, 4, 5, 6);
        assertThat(batches).hasSizeGreaterThan(6);
    }

    /** A shard that keeps few rows adds the others up as they come, in whatever order they come. */
    @Test
    void aSummedRunEqualsAPlainLoop() {
        for (int held : new int[] {0, 1, 5}) {
            Training training =
                    Runs.of(6, 0).rowsHeld(held).workerMomentum(0.9).rounds(12).training();
            float[] plain = plain(training);
            int restores = 0;
            for (long seed = 0; seed < 10; seed++) {
                DrivenRun run =
                        driver(training, seed)
                                .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                                .run();
                assertThat(run.parameters()).as("%d held, seed %d", held, seed).isEqualTo(plain);
                restores += run.restores();
            }
            assertThat(restores).isGreaterThan(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"average", "median", "krum", "clip(2) | nnm | trimmed-mean"})
    void aSampledRunEqualsAPlainLoop(String rule) {
        Training training =
                Runs.of(40, 1)
                        .rule(rule)
                        .sampled(8)
                        .rowsHeld(4)
                        .workerMomentum(0.9)
                        .rounds(12)
                        .training();
        float[] plain = plain(training);
        int restores = 0;
        for (long seed = 0; seed < 10; seed++) {
            DrivenRun run =
                    driver(training, seed)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                            .run();
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(plain);
            assertThat(run.rounds()).allMatch(round -> round.rows().length == 8);
            restores += run.restores();
        }
        assertThat(restores).isGreaterThan(20);
    }

    /** SLICES has three blocks: rows are gathered, forged and cut again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mimic",
                "min-max",
                "min-sum(sign)",
                "anti-cge",
                "bulyan-attack",
                "optimal-little-is-enough(rule=nnm | median)"
            })
    void attackersThatSeeEverythingChangeNothingAboutThat(String attack) {
        Training training =
                Runs.of(7, 2).rule("nnm | median").attack(2, attack).workerMomentum(0.9).training();
        float[] plain = plain(training);
        assertThat(driver(training, 0).run().parameters()).isEqualTo(plain);
        int restores = 0;
        for (long seed = 0; seed < 10; seed++) {
            DrivenRun run =
                    driver(training, seed)
                            .disturbances(Disturbances.delays(300).withCrashes(0.02, 0.02, 10))
                            .run();
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(plain);
            restores += run.restores();
        }
        assertThat(restores).isGreaterThan(20);
        assertThat(plain).isNotEqualTo(plain(Runs.of(7, 2).rule("nnm | median").training()));
    }

    @Test
    void aQuorumDoesNotWaitForAStalledWorker() {
        Training training = Runs.of(5, 1).rule("median").quorum(4).rounds(6).training();
        DrivenRun run =
                driver(training, 4)
                        .gradients(PROBLEM)
                        .disturbances(
                                new Disturbances(10, false, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, false))
                        .run();
        assertThat(run.rounds()).allMatch(r -> r.rows().length == 4);
        long late =
                run.workers().stream().mapToLong(w -> w.rejected()[Rejection.LATE.ordinal()]).sum();
        assertThat(late).isPositive();
    }

    /** One empty answer of an attacker at a shard would be a proven fault, of which f is none. */
    @ParameterizedTest
    @ValueSource(strings = {"random", "reversed", "fall-of-empires", "min-max"})
    void attackersMayAnswerOlderModels(String attack) {
        Disturbances rough =
                new Disturbances(3000, false, 0, 0, 0, 0, 0, 0, 0.1, 0.02, 0.01, 5, true);
        for (long seed = 0; seed < 40; seed++) {
            int quorum = 1 + (int) seed % 4;
            Training training =
                    Runs.of(5, 0)
                            .quorum(quorum)
                            .staleness(1 + (int) seed % 3)
                            .attack(2, attack)
                            .rounds(12)
                            .training();
            DrivenRun run = driver(training, seed).disturbances(rough).run();
            assertThat(run.rounds()).as("seed %d", seed).hasSize(12);
        }
    }

    @Test
    void silenceCostsOneTimeoutARound() {
        Training training =
                Runs.of(4, 1)
                        .rule("median")
                        .attack(1, "silent")
                        .timeoutMillis(50)
                        .rounds(4)
                        .training();
        DrivenRun run = driver(training, 0).disturbances(Disturbances.delays(100)).run();
        // The first round has ten seconds more.
        assertThat(run.micros()).isBetween(10_200_000L, 10_210_000L);
        assertThat(run.workers().get(3).rejected()[Rejection.MISSING.ordinal()]).isEqualTo(4);
        assertThat(run.parameters()).isEqualTo(plain(training));
    }

    @Test
    void moreSilentWorkersThanFEndTheRun() {
        Training training =
                Runs.of(4, 1).rule("median").attack(2, "silent").timeoutMillis(50).training();
        assertThatThrownBy(() -> driver(training, 0).run())
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("worker 2 (had not answered after 50 ms), worker 3");
    }

    @Test
    void aRunThatCannotEndIsABrokenPromise() {
        // What one worker sends is lost, and rounds wait for everybody without a timeout.
        Training training = Runs.of(3, 1).rule("median").training();
        Disturbances lost = new Disturbances(0, false, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, false);
        assertThatThrownBy(() -> driver(training, 0).disturbances(lost).run())
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("stopped at [1, 1, 1]");
    }

    @Test
    void needsGradients() {
        assertThatThrownBy(() -> RoundDriver.of(Runs.of(1, 0).training(), 0).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a driven run needs a gradient source");
    }
}
