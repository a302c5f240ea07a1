package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Draws;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.GradientSource;
import dev.levee.operators.testing.fuzz.Quadratics;
import dev.levee.operators.testing.plain.PlainLoop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Coded rounds under delays, crashes and rescaling. */
class CodedRoundsTest {
    private static final Quadratics PROBLEM = new Quadratics(6, 1, 5, 0, 0);
    private static final Disturbances ROUGH = Disturbances.delays(3000).withCrashes(0.02, 0.01, 5);

    private static Training training(String coding, int workers, int f, Attack attack, int count) {
        Coding chosen = Coding.parse(coding);
        GradientCode code = chosen.code(workers, 1);
        return new TrainingBuilder("coded", "inline:", PROBLEM, Coding.rule(code, f), workers, f)
                .work(Coding.work(code))
                .quorum(chosen.quorum(workers, f))
                .attack(attack, count)
                .batchSize(4)
                .rounds(12)
                .build();
    }

    private static DrivenRun run(Training training, Disturbances disturbances, long seed) {
        return RoundDriver.of(training, seed)
                .gradients(new Shares(training))
                .disturbances(disturbances)
                .run();
    }

    /** A gradient follows from the share alone, as the model's seed does. */
    private record Shares(Training training) implements GradientSource {
        @Override
        public Gradient gradient(Work.Task task) {
            return gradient(task, task.parameters(), 0);
        }

        @Override
        public Gradient gradient(Work.Task task, float[] parameters, int step) {
            Work work = training.work();
            int size = task.settings().batchSize();
            long seed = work.modelSeed(1, task, task.round(), step);
            Work.Draw draw = work.draw(task.worker(), task.consumed() + (long) size * step, size);
            float[] values = parameters.clone();
            for (int i = 0; i < values.length; i++) {
                values[i] -=
                        (float) Draws.normal(seed, i)
                                + (float) Draws.normal(Draws.key(draw.share(), draw.before()), i);
            }
            return new Gradient(values, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, none", "2, silent"})
    void fractionalEndsWithTheSameBitsWhoeverAnswersFirst(int silent, String attack) {
        float[] all =
                run(training("fractional(2)", 6, 0, null, 0), Disturbances.NONE, 1).parameters();
        int restores = 0;
        for (long seed = 1; seed <= 10; seed++) {
            Attack which = silent == 0 ? null : Attacks.parse(attack);
            DrivenRun run = run(training("fractional(2)", 6, 0, which, silent), ROUGH, seed);
            assertThat(run.parameters()).as("seed %d", seed).isEqualTo(all);
            restores += run.restores();
        }
        assertThat(restores).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"random", "reversed", "little-is-enough", "nan"})
    void oneLiarOfThreeCopiesChangesNoBit(String attack) {
        float[] all =
                run(training("fractional(2)", 6, 0, null, 0), Disturbances.NONE, 1).parameters();
        for (long seed = 1; seed <= 5; seed++) {
            Training attacked = training("fractional(2)", 6, 1, Attacks.parse(attack), 1);
            assertThat(run(attacked, ROUGH, seed).parameters()).as("seed %d", seed).isEqualTo(all);
        }
    }

    /**
     * Between crashes, jobs have other numbers of subtasks and so of workers. Whoever then holds
     * which shares, and whoever answers first, a round's step follows from its settings alone.
     */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1"})
    void elasticRunsEndWithTheBitsOfTheirShares(int stragglers, int f) {
        int copies = stragglers + 1;
        int workers = 2 * copies;
        Elasticity plan = new Elasticity(copies, 4 * copies, 200, 0, 0.1, null);
        Coding coding = Coding.parse("fractional(" + stragglers + ")");
        GradientCode code = coding.code(workers, 1);
        Training training =
                new TrainingBuilder(
                                "elastic",
                                "inline:",
                                PROBLEM,
                                Coding.rule(code, f, plan),
                                workers,
                                f)
                        .work(Coding.work(code, plan))
                        .quorum(new CountOrShare.AllBut(stragglers - 2 * f))
                        .attack(f == 0 ? null : Attacks.parse("random"), f)
                        .batchSize(4)
                        .rounds(12)
                        .plan(plan)
                        .build();
        Set<Integer> sizes = new HashSet<>();
        for (long seed = 1; seed <= 10; seed++) {
            DrivenRun run = run(training, ROUGH, seed);
            assertThat(run.parameters())
                    .as("seed %d", seed)
                    .isEqualTo(replayed(training, run.course()));
            run.course().forEach(settings -> sizes.add(settings.workers()));
        }
        assertThat(sizes).hasSizeGreaterThan(2).allMatch(n -> n % copies == 0);
    }

    /** A plain loop in which all workers of each round answer, and nobody lies. */
    private static float[] replayed(Training training, List<Settings> course) {
        Shares shares = new Shares(training);
        Work work = training.work();
        float[] initial = PROBLEM.initialParameters(training.seed());
        return PlainLoop.run(
                training,
                Slices.of(PROBLEM.layout()),
                0,
                initial,
                course,
                (round, parameters) -> {
                    Settings settings = course.get((int) round);
                    float[][] rows = new float[settings.workers()][];
                    for (int worker = 0; worker < rows.length; worker++) {
                        long batch = work.firstBatch(settings, worker);
                        Work.Task task =
                                new Work.Task(
                                        0,
                                        worker,
                                        round,
                                        settings,
                                        parameters,
                                        settings.samples() + batch * settings.batchSize(),
                                        Map.of(),
                                        0);
                        Work.Gradients gradients = (at, step) -> shares.gradient(task, at, step);
                        rows[worker] =
                                work.work(task, Map.of(), initial.length, gradients).values();
                    }
                    return new PlainLoop.Rows(rows, 0);
                },
                task -> 0);
    }

    @Test
    void cyclicAgreesUpToRounding() {
        Training quiet = training("cyclic(2)", 7, 0, null, 0);
        float[] all = run(quiet, Disturbances.NONE, 1).parameters();
        for (long seed = 1; seed <= 5; seed++) {
            Training silent = training("cyclic(2)", 7, 0, Attacks.parse("silent"), 2);
            assertThat(run(silent, ROUGH, seed).parameters()).containsExactly(all, within(1e-5f));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cyclic(2), 1, random",
        "cyclic(2), 1, sign-flip",
        "cyclic(4), 2, reversed",
        "cyclic(4), 2, little-is-enough",
        "cyclic(4), 2, nan"
    })
    void liarsOfACyclicCodeChangeNothingButRounding(String coding, int f, String attack) {
        float[] all = run(training(coding, 9, 0, null, 0), Disturbances.NONE, 1).parameters();
        for (long seed = 1; seed <= 5; seed++) {
            Training attacked = training(coding, 9, f, Attacks.parse(attack), f);
            assertThat(run(attacked, ROUGH, seed).parameters())
                    .as("seed %d", seed)
                    .containsExactly(all, within(1e-4f));
        }
    }

    @Test
    void whoIsMissingIsApproximated() {
        Training fewer =
                new TrainingBuilder(training("approximate(2)", 6, 0, Attacks.parse("silent"), 0))
                        .quorum(3)
                        .attack(Attacks.parse("silent"), 3)
                        .build();
        assertThat(run(fewer, ROUGH, 1).rounds()).hasSize(12);
    }
}
