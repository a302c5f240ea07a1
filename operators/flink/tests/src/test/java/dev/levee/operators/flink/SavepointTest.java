package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.flink.internal.codec.FirstEvents;
import dev.levee.operators.flink.internal.loop.HeadSource;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** What becomes of a real savepoint that another version of Levee, or another job, has written. */
@Tag("cluster")
class SavepointTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @TempDir static Path directory;
    private static Path savepoint;

    @BeforeAll
    static void takeASavepoint() throws Exception {
        savepoint = stop(start(training("saved", 1_000_000), null));
    }

    private static Path stop(JobClient job) throws Exception {
        return Restarts.stop(job, directory.resolve("savepoints"));
    }

    private static Training training(String runId, long rounds) {
        return new TrainingBuilder(Trainings.logistic(4, 1, "median", rounds))
                .runId(runId)
                .model(new Quadratic(50, 0))
                .build();
    }

    /** An environment in which every failure is followed by a restart at once, without end. */
    private static StreamExecutionEnvironment environment(Path from) {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, false);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        if (from != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, from.toUri().toString());
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(1);
        return environment;
    }

    private static JobClient start(Training training, Path from) throws Exception {
        StreamExecutionEnvironment environment = environment(from);
        TrainingJob.build(environment, training, new KeptResult(training.runId()));
        return environment.executeAsync(training.runId());
    }

    /** The savepoint with other bytes in the place of all that are these. */
    private static Path altered(String name, byte[] from, byte[] to) throws IOException {
        Path copy = Files.createDirectory(directory.resolve(name));
        int changes = 0;
        try (Stream<Path> files = Files.list(savepoint)) {
            for (Path file : files.toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                String other =
                        content.replace(
                                new String(from, StandardCharsets.ISO_8859_1),
                                new String(to, StandardCharsets.ISO_8859_1));
                changes += content.equals(other) ? 0 : 1;
                Files.writeString(
                        copy.resolve(file.getFileName()), other, StandardCharsets.ISO_8859_1);
            }
        }
        assertThat(changes).isPositive();
        return copy;
    }

    private static byte[] bytes(String text, int number) {
        return (text + "\0\0\0" + (char) number).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What a client finds as the cause of a failed job that we know something about. */
    private static String sentence(Training training, Path from) throws Exception {
        try {
            start(training, from).getJobExecutionResult().get();
            throw new AssertionError("the job went on from " + from);
        } catch (ExecutionException e) {
            Throwable cause = e;
            while (!(cause instanceof IllegalStateException)) {
                cause = cause.getCause();
            }
            return cause.getMessage();
        }
    }

    @Test
    void theSavepointItselfIsFine() throws Exception {
        Training training = training("saved", 1);
        start(training, savepoint).getJobExecutionResult().get();
        // It has gone further than that.
        assertThat(new KeptResult("saved").take().roundCount()).isPositive();
    }

    @Test
    void aVersionThatNobodyReadsAnyMoreEndsTheJobWithOneSentence() throws Exception {
        Path old = altered("old", bytes("COORDINATOR", 7), bytes("COORDINATOR", 0));
        assertThat(sentence(training("saved", 10), old))
                .isEqualTo(
                        "this savepoint cannot be read: version 0 of COORDINATOR was written by an"
                                + " earlier Levee, whose state this version cannot read: finish"
                                + " the run with that version, or start over");
    }

    @Test
    void aVersionOfALaterLeveeEndsTheJobWithOneSentence() throws Exception {
        Path later = altered("later", bytes("SHARD", 5), bytes("SHARD", 99));
        assertThat(sentence(training("saved", 10), later))
                .isEqualTo(
                        "this savepoint cannot be read: version 99 of SHARD was written by a later"
                                + " Levee, and this one reads up to version 5: continue with the"
                                + " later Levee");
    }

    @Test
    void aSavepointFromBeforeRecordsHadVersionsEndsTheJobWithOneSentence() throws Exception {
        String snapshot = "RecordSerializerSnapshot";
        Path ancient = altered("ancient", bytes(snapshot, 3), bytes(snapshot, 2));
        assertThat(sentence(training("saved", 10), ancient))
                .isEqualTo(
                        "this savepoint was written by an earlier Levee, whose state this version"
                                + " cannot read: finish the run with that version, or start over");
    }

    /** The sentence is Flink's; the command line makes a better one of it. */
    @Test
    void aSavepointOfAnotherRunIsNotTaken() throws Exception {
        assertThat(sentence(training("another", 10), savepoint))
                .startsWith(
                        "Failed to rollback to checkpoint/savepoint file:"
                                + savepoint
                                + ". Cannot map checkpoint/savepoint state for operator ");
    }

    /** In the place of a recorder: remembers three rounds in version 1 of the format. */
    private static final class FirstRecorder extends ProcessFunction<LoopMessage, Void>
            implements CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        private transient ListState<RunEvent> history;

        @Override
        public void processElement(LoopMessage message, Context context, Collector<Void> out) {}

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            history.update(
                    List.of(
                            new RunEvent.History(
                                    0,
                                    1,
                                    List.of(stretch(0), stretch(1), stretch(2)),
                                    List.of(new EvaluationReport(1, 5, 0.25, 0.125)),
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    List.of())));
        }

        private static RunEvent.Stretch stretch(long round) {
            int[] none = {};
            double[] phases = new double[6];
            return new RunEvent.Stretch(
                    new RoundReportBuilder(round)
                            .decidedAt(5)
                            .phases(phases)
                            .loss(40 + round)
                            .batch(8)
                            .rows(none)
                            .selected(none)
                            .faults(none)
                            .build(),
                    1);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            history =
                    context.getOperatorStateStore()
                            .getListState(
                                    new ListStateDescriptor<>("history", FirstEvents.serializer()));
        }
    }

    @Test
    void anEarlierVersionIsReadWhereSomebodyReadsIt() throws Exception {
        StreamExecutionEnvironment first = environment(null);
        first.setMaxParallelism(1);
        first.fromSource(
                        new HeadSource(77, 1, 1),
                        WatermarkStrategy.noWatermarks(),
                        "nothing",
                        TypeInformation.of(LoopMessage.class))
                .process(new FirstRecorder())
                .uid("migrated-recorder")
                .sinkTo(new DiscardingSink<>());
        Path written = stop(first.executeAsync("first"));

        Training training = training("migrated", 5);
        StreamExecutionEnvironment second = environment(written);
        Configuration skip = new Configuration();
        skip.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
        second.configure(skip);
        TrainingJob.build(second, training, new KeptResult("migrated"));
        second.execute("second");
        RunResult result = new KeptResult("migrated").take();
        assertThat(result.rounds())
                .extracting(RoundReport::round)
                .containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(result.rounds().subList(0, 3))
                .extracting(RoundReport::loss)
                .containsExactly(40.0, 41.0, 42.0);
        assertThat(result.evaluations()).extracting(EvaluationReport::accuracy).contains(0.125);
    }
}
