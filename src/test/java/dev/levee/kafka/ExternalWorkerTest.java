package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.LeveeProcess;
import dev.levee.OutsideJob;
import dev.levee.WorkerThread;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Workers outside, with a real broker and a job played by the test. */
@Tag("cluster")
class ExternalWorkerTest {
    private static final long RUN = 1_700_000_000_000_000L;
    private static final int BATCH = 5;

    @TempDir static Path directory;
    private static LocalKafka broker;
    private static KeyDirectory keys;
    private static WideModel wide;

    @BeforeAll
    static void start() throws Exception {
        keys = new KeyDirectory(directory.resolve("keys"));
        for (String name : List.of(KeyDirectory.JOB, "w0", "w1")) {
            keys.generate(name);
        }
        wide = WideModel.in(directory);
        broker = TestBroker.emptied();
    }

    private static Settings settings(int workers) {
        return new Settings(Cohort.first(workers), 0, workers, BATCH, 0.5, false, false, 0);
    }

    private static Settings withoutWorker0() {
        return new Settings(Cohort.of(1), 0, 1, BATCH, 0.5, false, false, 0);
    }

    private static Settings end() {
        return new Settings(Cohort.first(2), 0, 2, BATCH, 0, true, true, 0);
    }

    private static TrainingBuilder training() {
        return new TrainingBuilder(
                        "external", wide.dataset(), wide.model(), Rules.parse("average"), 1, 0)
                .batchSize(BATCH);
    }

    private static OutsideJob job(Topics topics) throws Exception {
        return new OutsideJob(broker, topics, wide.slices(), keys.signing(KeyDirectory.JOB));
    }

    /** The model after a step along a gradient. */
    private static float[] stepped(float[] parameters, float[] gradient) {
        float[] next = parameters.clone();
        for (int i = 0; i < next.length; i++) {
            next[i] -= 0.5f * gradient[i];
        }
        return next;
    }

    /** What worker 0 computes on its batch, without momentum. */
    private static float[] gradient(float[] parameters, int workers, long round, long consumed) {
        return wide.gradient(training().workers(workers).build(), 0, parameters, round, consumed);
    }

    private static WorkerThread worker(Topics topics, Training training, Duration resendAfter) {
        return new WorkerThread(
                broker,
                topics,
                new ExternalWorker.Options(
                        0,
                        keys.signing("w0"),
                        keys.verifying(KeyDirectory.JOB),
                        training,
                        resendAfter,
                        null));
    }

    @Test
    void waitsForATopicAndAModelAndAnswersUntilTheRunIsOver() throws Exception {
        Topics topics = new Topics("patient");
        Training training = training().work(new GradientWork(0)).build();
        try (WorkerThread worker = worker(topics, training, WorkerThread.PATIENCE)) {
            worker.awaitWaiting("there is no topic patient.models");
            try (OutsideJob job = job(topics)) {
                worker.awaitWaiting("topic patient.models has no model signed by the job");
                float[] parameters = wide.zeros();
                for (int round = 0; round < 4; round++) {
                    job.publish(RUN, round, parameters, settings(2));
                    // Nobody but the job may say what the model is.
                    job.publish(RUN + 9, 7, parameters, end(), keys.signing("w1"));
                    float[] gradient = job.answer(RUN, round, 0, 1);
                    assertThat(gradient)
                            .isEqualTo(gradient(parameters, 2, round, (long) round * BATCH));
                    assertThat(job.frames(RUN, round, 0, 1).get(0).authentic(keys.verifying("w0")))
                            .isTrue();
                    parameters = stepped(parameters, gradient);
                }
                job.publish(RUN, 4, parameters, end());
                assertThat(worker.over()).isTrue();
            }
        }
    }

    @Test
    void dealsAnewForMoreWorkersRestsWhenNotAmongThemAndBeginsANewRunAfresh() throws Exception {
        Topics topics = new Topics("changing");
        Training training = training().work(new GradientWork(0)).build();
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(topics, training, WorkerThread.PATIENCE)) {
            float[] zero = wide.zeros();
            job.publish(RUN, 6, zero, settings(2));
            assertThat(job.answer(RUN, 6, 0, 1)).isEqualTo(gradient(zero, 2, 6, 6 * BATCH));
            job.publish(RUN, 7, zero, settings(3));
            assertThat(job.answer(RUN, 7, 0, 1)).isEqualTo(gradient(zero, 3, 7, 7 * BATCH));
            job.publish(RUN, 8, zero, withoutWorker0());
            job.publish(RUN, 9, zero, settings(3));
            assertThat(job.answer(RUN, 9, 0, 1)).isEqualTo(gradient(zero, 3, 9, 8 * BATCH));
            job.publish(RUN + 1, 0, zero, settings(3));
            assertThat(job.answer(RUN + 1, 0, 0, 1)).isEqualTo(gradient(zero, 3, 0, 0));
            job.publish(RUN, 10, zero, settings(3));
            job.publish(RUN + 1, 1, zero, end());
            assertThat(worker.over()).isTrue();
        }
    }

    @Test
    void sendsTheSameBytesAgainWhileNoNewerModelComes() throws Exception {
        Topics topics = new Topics("again");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(topics, training().build(), Duration.ofMillis(200))) {
            float[] zero = wide.zeros();
            job.publish(RUN, 0, zero, settings(2));
            job.answer(RUN, 0, 0, 3);
            for (int block = 0; block < wide.slices().count(); block++) {
                List<Frame> frames = job.frames(RUN, 0, 0, block);
                assertThat(frames)
                        .allSatisfy(
                                frame ->
                                        assertThat(frame.checksum())
                                                .isEqualTo(frames.get(0).checksum()));
            }
            job.publish(RUN, 1, zero, end());
            assertThat(worker.over()).isTrue();
        }
    }

    @Test
    void aWorkerWithoutAFileDoesNotContradictItself() throws Exception {
        Topics topics = new Topics("forgetful");
        float[] zero = wide.zeros();
        float[] first;
        float[] second;
        try (OutsideJob job = job(topics)) {
            try (WorkerThread worker = worker(topics, training().build(), WorkerThread.PATIENCE)) {
                job.publish(RUN, 0, zero, settings(2));
                first = job.answer(RUN, 0, 0, 1);
                job.publish(RUN, 1, zero, settings(2));
                second = job.answer(RUN, 1, 0, 1);
                assertThat(second).isNotEqualTo(first);
                worker.stop();
                assertThat(worker.over()).isFalse();
            }
            try (WorkerThread worker = worker(topics, training().build(), WorkerThread.PATIENCE)) {
                job.answer(RUN, 1, 0, 2);
                for (int block = 0; block < wide.slices().count(); block++) {
                    List<Frame> twice = job.frames(RUN, 1, 0, block);
                    assertThat(twice.get(1).checksum()).isEqualTo(twice.get(0).checksum());
                }
                job.publish(RUN, 2, zero, settings(2));
                float[] momentum = gradient(zero, 2, 2, 2 * BATCH);
                for (int i = 0; i < momentum.length; i++) {
                    momentum[i] = 0.9f * second[i] + (1 - 0.9f) * momentum[i];
                }
                assertThat(job.answer(RUN, 2, 0, 1)).isEqualTo(momentum);
                job.publish(RUN, 3, zero, end());
                assertThat(worker.over()).isTrue();
            }
        }
    }

    @Test
    void aWorkerMayMisbehaveForAnExperiment() throws Exception {
        Topics topics = new Topics("lies");
        Training training = training().attack(Attacks.parse("nan"), 1).build();
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(topics, training, WorkerThread.PATIENCE)) {
            job.publish(RUN, 0, wide.zeros(), settings(2));
            assertThat(job.answer(RUN, 0, 0, 1)).containsOnly(Float.NaN);
            assertThat(worker.runs()).isTrue();
        }
    }

    @Test
    void saysThatTheModelIsAnother() throws Exception {
        Topics topics = new Topics("another");
        try (OutsideJob job = job(topics);
                WorkerThread worker =
                        worker(
                                topics,
                                training().model(Models.open("logistic", new int[] {7}, 2)).build(),
                                WorkerThread.PATIENCE)) {
            job.publish(RUN, 0, wide.zeros(), settings(2));
            assertThatThrownBy(worker::over)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage(
                            "the model on topic another.models has 140002 parameters, but --model"
                                    + " logistic has 16");
        }
    }

    @Test
    void aProcessThatIsInterruptedOrKilledGoesOnAsIfItHadNeverBeen() throws Exception {
        Topics topics = new Topics("killed");
        Topics calm = new Topics("calm");
        String[] options = {
            "worker",
            "--id=w0",
            "--bootstrap-servers=" + broker.bootstrapServers(),
            "--run=" + topics.name(),
            "--keys=" + keys.path(),
            "--dataset=" + wide.dataset(),
            "--model=logistic",
            "--state=" + directory.resolve("state/w0")
        };
        Path said = directory.resolve("killed.txt");
        try (OutsideJob job = job(topics);
                OutsideJob undisturbed = job(calm);
                WorkerThread twin = worker(calm, training().build(), WorkerThread.PATIENCE)) {
            float[] parameters = wide.zeros();
            LeveeProcess worker = LeveeProcess.start(said, options);
            try {
                for (int round = 0; round < 8; round++) {
                    undisturbed.publish(RUN, round, parameters, settings(2));
                    float[] expected = undisturbed.answer(RUN, round, 0, 1);
                    job.publish(RUN, round, parameters, settings(2));
                    if (round == 5) {
                        // Whether it has answered already or not.
                        assertThat(worker.stop()).isNotZero();
                        assertThat(worker.said())
                                .endsWith(
                                        "Interrupted. Run the same command to continue where it"
                                                + " stopped."
                                                + System.lineSeparator());
                        worker = LeveeProcess.start(said, options);
                    }
                    assertThat(job.answer(RUN, round, 0, 1)).isEqualTo(expected);
                    if (round == 2) {
                        // It sends the very same again, and then continues.
                        worker.kill();
                        worker = LeveeProcess.start(said, options);
                        job.answer(RUN, round, 0, 2);
                    }
                    parameters = stepped(parameters, expected);
                }
                for (int block = 0; block < wide.slices().count(); block++) {
                    List<Frame> twice = job.frames(RUN, 2, 0, block);
                    assertThat(twice.get(1).checksum()).isEqualTo(twice.get(0).checksum());
                }
                undisturbed.publish(RUN, 8, parameters, end());
                job.publish(RUN, 8, parameters, end());
                assertThat(worker.exitCode()).as(worker.said()).isZero();
                assertThat(worker.said()).contains("The run is over with version 8; w0 has");
            } finally {
                worker.close();
            }
            assertThat(twin.over()).isTrue();
        }
    }

    @Test
    void goesOnAfterTheBrokerWasAway() throws Exception {
        Topics topics = new Topics("away");
        try (OutsideJob job = job(topics);
                WorkerThread worker = worker(topics, training().build(), WorkerThread.PATIENCE)) {
            float[] zero = wide.zeros();
            job.publish(RUN, 0, zero, settings(2));
            job.answer(RUN, 0, 0, 1);
            broker.kill();
            worker.awaitWaiting("no broker sends anything of topic away.models");
            broker.restart();
            job.publish(RUN, 1, zero, settings(2));
            job.answer(RUN, 1, 0, 1);
            job.publish(RUN, 2, zero, end());
            assertThat(worker.over()).isTrue();
        }
    }
}
