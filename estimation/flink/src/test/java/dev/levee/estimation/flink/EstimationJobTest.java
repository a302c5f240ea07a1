package dev.levee.estimation.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.FitTask;
import dev.levee.estimation.Multiplier;
import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.Score;
import dev.levee.estimation.Specification;
import dev.levee.estimation.TaskTimes;
import dev.levee.estimation.fitting.CrossFitting;
import dev.levee.estimation.fitting.DoubleMl;

import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

@Tag("cluster")
class EstimationJobTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private static final Map<String, BlockingQueue<Estimate>> RESULTS = new ConcurrentHashMap<>();

    @TempDir static Path directory;
    private static EffectColumns columns;
    private static EffectData data;

    @BeforeAll
    static void writeATable() throws IOException {
        Random random = new Random(3);
        StringBuilder csv = new StringBuilder("y,d,x0,x1\n");
        for (int i = 0; i < 300; i++) {
            double x = random.nextGaussian();
            double d = random.nextGaussian() + x > 0 ? 1 : 0;
            double y = 0.5 * d + x + random.nextGaussian();
            csv.append(String.format(Locale.ROOT, "%s,%s,%s,%s%n", y, d, x, random.nextGaussian()));
        }
        Path file = Files.writeString(directory.resolve("table.csv"), csv);
        columns =
                new EffectColumns(
                        "csv:" + file,
                        "y",
                        List.of("d"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
        data = columns.read();
    }

    private static DoubleMl settings(String learner) {
        return DoubleMl.plr(data).learner(learner).repetitions(4).folds(3);
    }

    private static StreamExecutionEnvironment environment(String from) {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.MAX_PARALLELISM, 128);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        if (from != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, from);
        }
        return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    }

    private static JobClient start(
            String name, Specification specification, FitTask.Size size, int slots, String from)
            throws Exception {
        RESULTS.put(name, new LinkedBlockingQueue<>());
        StreamExecutionEnvironment environment = environment(from);
        environment.setParallelism(slots);
        EstimationJob.add(
                environment,
                EstimationPlan.of(columns, specification, size),
                "test",
                result -> RESULTS.get(name).add(result));
        return environment.executeAsync(name);
    }

    private static Estimate result(String name, JobClient job) throws Exception {
        job.getJobExecutionResult().get();
        assertThat(RESULTS.get(name)).hasSize(1);
        return RESULTS.get(name).take();
    }

    private static void assertSame(Estimate one, Estimate other) {
        assertThat(one.fits()).isEqualTo(other.fits());
        assertThat(Double.valueOf(one.criticalValue()))
                .isEqualTo(Double.valueOf(other.criticalValue()));
        assertThat(one.effects()).hasSameSizeAs(other.effects());
        for (int i = 0; i < one.effects().size(); i++) {
            assertThat(one.effects().get(i))
                    .usingRecursiveComparison()
                    // NaN stands for what there is not.
                    .withEqualsForType(Double::equals, Double.class)
                    .isEqualTo(other.effects().get(i));
        }
    }

    @ParameterizedTest
    @EnumSource(FitTask.Size.class)
    void theJobHasTheBitsOfThePlainLoop(FitTask.Size size) throws Exception {
        DoubleMl settings =
                DoubleMl.irm(data)
                        .learner("forest(trees=10)")
                        .folds(3)
                        .repetitions(4)
                        .bootstrap(Multiplier.WILD, 50);
        String name = "same bits by " + size;
        Estimate estimate = result(name, start(name, settings.specification(), size, 2, null));
        assertThat(estimate.fits()).isEqualTo(3 * 3 * 4);
        assertSame(estimate, settings.estimate());
    }

    @Test
    void theInstrumentalTypeNeedsWholeRepetitions() throws Exception {
        DoubleMl settings = settings("linear").score(Score.IV_TYPE);
        assertThatThrownBy(
                        () ->
                                EstimationPlan.of(
                                        columns, settings.specification(), FitTask.Size.FOLD))
                .hasMessageStartingWith("the score iv-type needs tasks that are repetitions");
        Estimate estimate =
                result(
                        "iv",
                        start("iv", settings.specification(), FitTask.Size.REPETITION, 2, null));
        assertSame(estimate, settings.estimate());
    }

    @Test
    void stoppedAndResumedWithOtherParallelismItRepeatsNoFinishedFit(
            @InjectMiniCluster MiniCluster cluster) throws Exception {
        Specification specification = settings("gated").specification();
        GatedLearner.hold(11);
        JobClient job = start("stopped", specification, FitTask.Size.FOLD, 2, null);
        String savepoint;
        try {
            // Eleven are through and both slots stand at the gate.
            while (GatedLearner.BEGUN.get() < 13 || GatedLearner.FINISHED.size() < 11) {
                LockSupport.parkNanos(1_000_000);
            }
            // Fits may be faster than the start of the tasks behind them.
            CommonTestUtils.waitForAllTaskRunning(cluster, job.getJobID(), false);
            savepoint =
                    job.triggerSavepoint(
                                    directory.resolve("savepoints").toUri().toString(),
                                    SavepointFormatType.CANONICAL)
                            .get();
        } finally {
            try {
                // Or its slots are missing to the tests after this one.
                if (!job.getJobStatus().get().isGloballyTerminalState()) {
                    job.cancel().get();
                }
                assertThatThrownBy(() -> job.getJobExecutionResult().get());
            } finally {
                GatedLearner.open();
            }
        }
        assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.CANCELED);
        JobClient resumed = start("resumed", specification, FitTask.Size.FOLD, 1, savepoint);
        Estimate estimate = result("resumed", resumed);
        assertThat(GatedLearner.FINISHED).hasSize(24);
        // The two at the gate were let through too, after nobody wanted them any more.
        assertThat(GatedLearner.FINISHED.values().stream().mapToInt(each -> each).sum())
                .isBetween(24, 26);
        assertThat(estimate.fits()).isEqualTo(24);
        assertSame(estimate, settings("linear").estimate());
    }

    @Test
    void theStateOfAllRepetitionsWritesTheEstimateAgain() throws Exception {
        DoubleMl settings = settings("linear").repetitions(1);
        EstimationPlan plan =
                EstimationPlan.of(columns, settings.specification(), FitTask.Size.FOLD);
        double[][] results = new double[plan.tasks()][];
        try (CrossFitting fitting = plan.fitting()) {
            Arrays.setAll(results, fitting::run);
        }
        List<Estimate> written = new ArrayList<>();
        OperatorSubtaskState state;
        try (var before = collecting(plan, written)) {
            before.open();
            before.processElement(plan.estimator().estimate(0, results, TaskTimes.NONE), 0);
            state = before.snapshot(1, 0);
        }
        try (var resumed = collecting(plan, written)) {
            resumed.initializeState(state);
            resumed.open();
        }
        assertThat(written).hasSize(2);
        assertSame(written.get(1), settings.estimate());
    }

    private static OneInputStreamOperatorTestHarness<RepetitionEstimate, Integer> collecting(
            EstimationPlan plan, List<Estimate> written) throws Exception {
        return new OneInputStreamOperatorTestHarness<>(
                new ProcessOperator<>(new EstimateFunction(plan, written::add)));
    }

    @Test
    void aFitThatFailsEndsTheJobAndSaysWhich() throws Exception {
        GatedLearner.hold(1000);
        Specification specification = settings("gated(fails=2)").specification();
        JobClient job = start("failing", specification, FitTask.Size.FOLD, 1, null);
        assertThatThrownBy(() -> job.getJobExecutionResult().get())
                .satisfies(
                        failure ->
                                assertThat(ExceptionUtils.stringifyException(failure))
                                        .contains(
                                                "the fit of ml_l, treatment d, repetition 1, fold 2"
                                                        + " by gated(fails=2) failed: it was asked"
                                                        + " to"));
    }

    @Test
    void aTableThatHasChangedIsRefused() throws Exception {
        Path file = Files.copy(directory.resolve("table.csv"), directory.resolve("changing.csv"));
        EffectColumns other =
                new EffectColumns(
                        "csv:" + file,
                        "y",
                        List.of("d"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of());
        EstimationPlan plan =
                EstimationPlan.of(other, settings("linear").specification(), FitTask.Size.FOLD);
        Files.writeString(file, Files.readString(file) + "1,1,1,1\n");
        assertThatThrownBy(plan::data)
                .hasMessage(
                        "csv:%s has changed since the estimate was submitted: submit it again"
                                .formatted(file));
    }

    @Test
    void clustersThatMayBeOneDoubleAreRefused() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("clusters.csv"),
                        "y,d,x,id\n1,0,1,5\n2,1,2,9007199254740993\n");
        EffectColumns wide =
                new EffectColumns(
                        "csv:" + file,
                        "y",
                        List.of("d"),
                        List.of(),
                        List.of(),
                        List.of("id"),
                        List.of());
        assertThatThrownBy(wide::read)
                .hasMessage(
                        "--cluster id has 9.007199254740992E15 in row 2, but numbers from 2^53 on "
                                + "may not be read exactly: write a letter before each number of "
                                + "the column, which makes it text");
        Files.writeString(file, Files.readString(file).replace(",5", ",a5").replace(",9", ",a9"));
        assertThat(wide.read().clusters().get(0).count()).isEqualTo(2);
    }

    @Test
    void aProcessReadsATableOnce() {
        EstimationPlan plan =
                EstimationPlan.of(columns, settings("linear").specification(), FitTask.Size.FOLD);
        assertThat(plan.data()).isSameAs(plan.data());
    }

    @Test
    void recordsAndStateNeedNoKryo() {
        assertThat(TypeInformation.of(FitResult.class)).isInstanceOf(PojoTypeInfo.class);
        assertThat(TypeInformation.of(RepetitionEstimate.class)).isInstanceOf(PojoTypeInfo.class);
    }
}
