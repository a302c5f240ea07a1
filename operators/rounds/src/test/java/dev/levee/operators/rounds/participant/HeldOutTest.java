package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

class HeldOutTest {
    private static Dataset samples(int count) {
        return Datasets.open(
                Datasets.inline(new float[count][1], new int[count], 2), Datasets.Split.TRAIN);
    }

    @Test
    void theServerKeepsATenthThatNoWorkerHas() {
        Training zeno = Runs.of(3, 1).rule("zeno").training();
        int[] workers = HeldOut.workers(zeno, samples(55));
        int[] server = HeldOut.server(zeno, samples(55));
        assertThat(server).hasSize(5);
        assertThat(IntStream.concat(IntStream.of(workers), IntStream.of(server)).sorted())
                .containsExactlyElementsOf(IntStream.range(0, 55).boxed().toList());
    }

    @Test
    void workersKeepAllWhereNobodyScoresOrTheServerHasOtherData() {
        assertThat(HeldOut.workers(Runs.of(3, 1).training(), samples(20))).hasSize(20);
        Training other =
                new TrainingBuilder(Runs.of(3, 1).rule("zeno").training())
                        .oracle(new Oracle("strokes:", 10))
                        .build();
        assertThat(HeldOut.workers(other, samples(20))).hasSize(20);
        assertThat(HeldOut.server(other, samples(20))).hasSize(20);
    }

    @Test
    void oneSampleIsTooFew() {
        Training zeno = Runs.of(3, 1).rule("zeno").training();
        assertThatThrownBy(() -> HeldOut.workers(zeno, samples(1)))
                .hasMessage("a data set of 1 samples is too small for workers and an oracle");
    }

    @Test
    void anOracleIsForRulesThatNeedIt() {
        TrainingBuilder median =
                new TrainingBuilder(Runs.of(3, 1).rule("median").training())
                        .oracle(Oracle.heldOut());
        assertThatThrownBy(median::build)
                .hasMessage("oracle is for rules that need scores, which median does not need");
        assertThatThrownBy(() -> new Oracle(null, 0))
                .hasMessage("oracle batch must be at least 1, got 0");
    }
}
