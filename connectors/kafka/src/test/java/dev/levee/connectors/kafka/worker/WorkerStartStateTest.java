package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Worker 1 of three, which starts at version 4 of a model with three parameters. */
class WorkerStartStateTest {
    private static final long RUN = 7;
    private static final Slices SLICES = new Slices(3, 3, 3);
    private static final Settings SETTINGS =
            new Settings(Cohort.first(3), 0, 3, 8, 0.1, false, false, 0);
    private static final ReadModel MODEL =
            new ReadModel(
                    RUN,
                    4,
                    SETTINGS,
                    3,
                    -1,
                    "",
                    List.of(
                            new ModelBlock(
                                    Header.model(RUN, 4, new ShardId(0, 0)),
                                    SETTINGS,
                                    new float[3])),
                    100_000);
    private static final byte[] ANSWER =
            Frames.of(
                    new GradientBlock(
                            Header.gradient(RUN, 4, 1, new ShardId(0, 0)),
                            0.5,
                            1,
                            2,
                            new float[] {1, 2, 3}),
                    1,
                    null);

    @TempDir Path directory;

    /** A connection whose topic of gradients has these records. */
    private record Sent(List<byte[]> records) implements Connection {
        @Override
        public ModelSource models(ServerRing ring, int byzantine, ModelReader.Output output) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FrameSink gradients(int worker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FrameSink scores(int worker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SumConnection sums(int worker, SumConnection.Output output) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void sent(long since, Duration patience, Consumer<byte[]> output) {
            records.forEach(output);
        }
    }

    private static Training training(Work work) {
        return new TrainingBuilder(
                        "run",
                        "strokes:",
                        Models.open("logistic", new int[] {1, 28, 28}, 10),
                        Rules.parse("median"),
                        3,
                        0)
                .work(work)
                .build();
    }

    private static WorkerStartState started(Path file, Training training, byte[]... sent) {
        ExternalWorker.Options options =
                new ExternalWorker.Options(1, null, null, training, Duration.ofSeconds(30), file);
        return new WorkerStartState(options, new Sent(List.of(sent)), null, SLICES);
    }

    @Test
    void findsItsAnswerOnTheTopicIfItsFileDoesNotExist() {
        Training training = training(new GradientWork(0.9));
        WorkerStartState start = started(directory.resolve("w1"), training, ANSWER);
        start.look(MODEL);
        WorkerState state = start.state(MODEL, training);
        assertThat(state.answered()).isEqualTo(4);
        assertThat(state.consumed()).isEqualTo(40);
        assertThat(state.vectors().get("momentum")).containsExactly(1, 2, 3);
        assertThat(start.answerTo(MODEL).orElseThrow().frames()).containsExactly(ANSWER);
    }

    @Test
    void believesItsFileBeforeTheTopic() {
        Path file = directory.resolve("w1");
        new WorkerFile(file, 1)
                .write(
                        new Answer(RUN, 3, 0.5, List.of(ANSWER)),
                        new WorkerState(3, 17, Map.of("momentum", new float[] {9, 9, 9})));
        Training training = training(new GradientWork(0.9));
        WorkerStartState start = started(file, training, ANSWER);
        start.look(MODEL);
        assertThat(start.state(MODEL, training).consumed()).isEqualTo(17);
        assertThat(start.answerTo(MODEL)).isEmpty();
    }

    /** Three batches of eight samples a round. */
    @Test
    void continuesAtItsPositionInTheDataIfARoundHasSeveralBatches() {
        Training own = training(new GradientWork(0.9));
        Training resolved = training(new ThreeBatches());
        assertThat(started(null, own).state(MODEL, resolved).consumed()).isEqualTo(4 * 24);
        WorkerStartState start = started(null, own, ANSWER);
        start.look(MODEL);
        WorkerState state = start.state(MODEL, resolved);
        assertThat(state.consumed()).isEqualTo(5 * 24);
        assertThat(state.vectors()).isEmpty();
    }

    /** Work that keeps nothing and draws three batches. */
    private record ThreeBatches() implements Work {
        @Override
        public int steps() {
            return 3;
        }

        @Override
        public Result work(
                Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
            throw new UnsupportedOperationException();
        }
    }
}
