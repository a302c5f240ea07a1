package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.levee.connectors.kafka.Topics;
import dev.levee.gar.Rules;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Worker 1 of three, which is asked to evaluate version 4. */
class VersionEvaluatorTest {
    private static final Model LOGISTIC = Models.open("logistic", new int[] {1, 28, 28}, 10);
    private static final Settings SETTINGS =
            new Settings(Cohort.first(3), 0, 3, 8, 0.1, false, true, 0);

    private static <T> T made(Class<T> type, InvocationHandler does) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, does));
    }

    /** A model whose evaluation ends with an error. */
    private static Model failing(Error error) {
        Learner learner =
                made(
                        Learner.class,
                        (self, method, arguments) -> {
                            if (method.getName().equals("evaluate")) {
                                throw error;
                            }
                            return null;
                        });
        return made(
                Model.class,
                (self, method, arguments) ->
                        method.getName().equals("newLearner")
                                ? learner
                                : method.invoke(LOGISTIC, arguments));
    }

    @Test
    void anErrorEndsTheWorker() throws InterruptedException {
        Error error = new NoClassDefFoundError("org/example/Missing");
        Training training =
                new TrainingBuilder("run", "strokes:", failing(error), Rules.parse("median"), 3, 0)
                        .build();
        FrameSink sink = made(FrameSink.class, (self, method, arguments) -> null);
        LinkedBlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
        float[] parameters = new float[LOGISTIC.layout().size()];
        ModelBlock block =
                new ModelBlock(Header.model(7, 4, new ShardId(0, 0)), SETTINGS, parameters);
        try (VersionEvaluator evaluator =
                new VersionEvaluator(
                        1,
                        null,
                        training,
                        made(Connection.class, (self, method, arguments) -> sink),
                        new Topics("run"),
                        mailbox::add,
                        () -> 0,
                        null)) {
            evaluator.evaluate(new ReadModel(7, 4, SETTINGS, 3, 1, "", List.of(block), 0));
            Runnable failed = mailbox.poll(1, TimeUnit.MINUTES);
            assertThatIllegalStateException()
                    .isThrownBy(failed::run)
                    .withMessage(
                            "the job asks w1 to evaluate version 4, which failed:"
                                    + " java.lang.NoClassDefFoundError: org/example/Missing")
                    .withCause(error);
        }
    }
}
