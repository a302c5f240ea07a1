package dev.levee.operators.rounds.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class ScoringTest {
    private final List<Scoring.Task> tasks = new ArrayList<>();
    private final Slices slices = new Slices(3, 3, 2);
    private final Scoring scoring = new Scoring(Oracle.heldOut(), 7, slices, 0, tasks::add);

    private void model(long version) {
        for (int block = 0; block < 2; block++) {
            scoring.model(
                    new ModelBlock(
                            Header.model(7, version, new ShardId(0, block)),
                            Plan.FIXED.at(Runs.of(3, 1).training(), version),
                            new float[2 - block]));
        }
    }

    private void row(long round, int worker, int block, float... values) {
        scoring.row(
                new GradientBlock(
                        Header.gradient(7, round, worker, new ShardId(0, block)), 0, 0, 0, values));
    }

    @Test
    void scoresAContributionOnceAllItsRowsAreThere() {
        model(0);
        row(0, 1, 1, 3);
        assertThat(tasks).isEmpty();
        row(0, 1, 0, 1, 2);
        row(0, 1, 0, 1, 2);
        assertThat(tasks).hasSize(1);
        assertThat(tasks.get(0).worker()).isEqualTo(1);
        assertThat(tasks.get(0).learningRate()).isEqualTo(0.5);
        assertThat(tasks.get(0).contribution()).containsExactly(1, 2, 3);
    }

    @Test
    void waitsForTheModelThatAContributionAnswers() {
        model(0);
        row(1, 2, 0, 1, 2);
        row(1, 2, 1, 3);
        assertThat(tasks).isEmpty();
        model(1);
        assertThat(tasks).extracting(Scoring.Task::round).containsExactly(1L);
        model(1);
        assertThat(tasks).hasSize(1);
    }

    @Test
    void forgetsWhatLacksARowWhenTheNextRoundHasOne() {
        model(0);
        row(0, 0, 0, 1, 2);
        row(1, 1, 0, 1, 2);
        row(0, 0, 1, 3);
        model(1);
        row(1, 0, 1, 3);
        assertThat(tasks).isEmpty();
        row(1, 1, 1, 3);
        assertThat(tasks).extracting(Scoring.Task::worker).containsExactly(1);
    }
}
