package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Worker 1 of three. */
class WorkerSessionTest {
    private static final long RUN = 7;
    private static final Training TRAINING =
            new TrainingBuilder(
                            "01234567",
                            Datasets.inline(
                                    new float[][] {{0}, {1}, {2}, {3}, {4}, {5}},
                                    new int[] {0, 1, 0, 1, 0, 1},
                                    2),
                            Models.open("logistic", new int[] {1}, 2),
                            Rules.parse("average"),
                            3,
                            0)
                    .build();

    private static List<ModelBlock> model(long version, Cohort cohort) {
        Settings settings = new Settings(cohort, 0, 3, 2, 0.1, false, false, 0);
        float[] values = new float[TRAINING.model().layout().size()];
        return List.of(
                new ModelBlock(Header.model(RUN, version, new ShardId(0, 0)), settings, values));
    }

    @Test
    void aContributionComesWithTheSettingsOfItsOwnRound() throws InterruptedException {
        LinkedBlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
        List<String> answers = new ArrayList<>();
        try (WorkerSession session =
                new WorkerSession(
                        1,
                        0,
                        RUN,
                        "",
                        TRAINING,
                        WorkerState.FRESH,
                        null,
                        mailbox::add,
                        () -> 0,
                        (blocks, score, settings, state) ->
                                answers.add(
                                        blocks.get(0).header().round()
                                                + " of "
                                                + settings.workers()))) {
            session.model(model(0, Cohort.first(3)));
            Runnable computed = mailbox.poll(5, TimeUnit.MINUTES);
            // The next model arrives before the result is handled.
            session.model(model(1, Cohort.first(2)));
            computed.run();
            mailbox.poll(5, TimeUnit.MINUTES).run();
        }
        assertThat(answers).containsExactly("0 of 3", "1 of 2");
    }
}
