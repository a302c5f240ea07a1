package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;

import org.junit.jupiter.api.Test;

import java.util.List;

class HistogramModelTest {
    private static final HistogramModel MODEL = new HistogramModel(1, 2, 0, 4, 4);

    private static Batch batch(float... values) {
        float[] features = new float[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            features[2 * i] = 99;
            features[2 * i + 1] = values[i];
        }
        return new Batch(features, new int[values.length]);
    }

    /** 0.5 and −3 are in the first bin, 1 in the second, 4 and 7 in the last. */
    @Test
    void aRoundCountsSamplesByBin() {
        try (Learner learner = MODEL.newLearner()) {
            List<Batch> batches = List.of(batch(0.5f, -3, 1), batch(4, 7, 3.5f));
            LocalRound.Result result =
                    learner.train(
                            new float[4],
                            new LocalRound(0, 0, 1, 5, 2, 3, batches::get, new byte[0]));
            assertThat(result.parameters()).containsExactly(2 / 6f, 1 / 6f, 0, 3 / 6f);
        }
    }

    /** Of shares 1/4, 1/4, 0, 1/2 on [0, 4) the median is 2 and 3/4 is in the middle of [3, 4). */
    @Test
    void quantilesLieWithinBins() {
        float[] shares = {0.25f, 0.25f, 0, 0.5f};
        assertThat(MODEL.quantile(shares, 0.125)).isEqualTo(0.5);
        assertThat(MODEL.quantile(shares, 0.5)).isEqualTo(2);
        assertThat(MODEL.quantile(shares, 0.75)).isEqualTo(3.5);
        assertThat(MODEL.quantile(shares, 1)).isEqualTo(4);
    }

    @Test
    void noiseBelowZeroCountsAsNothing() {
        float[] shares = {-0.1f, 0.5f, -0.2f, 0.5f};
        assertThat(MODEL.quantile(shares, 0.5)).isCloseTo(2, within(1e-9));
        assertThat(MODEL.quantile(new float[4], 0.5)).isNaN();
    }

    @Test
    void itsNameSaysAllOfIt() {
        Model read = Models.open("histogram:feature=1,low=0,high=4,bins=4", new int[] {2}, 3);
        assertThat(read).isEqualTo(MODEL);
        assertThat(Models.open(read.name(), new int[] {2}, 3)).isEqualTo(MODEL);
        assertThatThrownBy(() -> Models.open("histogram:feature=2", new int[] {2}, 3))
                .hasMessage("histogram needs a feature from 0 to 1, got 2");
        assertThatThrownBy(() -> Models.open("histogram:width=2", new int[] {2}, 3))
                .hasMessageStartingWith("the model is written histogram:feature=I,low=A");
        assertThatThrownBy(() -> Models.open("histogram:low=2,high=1", new int[] {2}, 3))
                .hasMessage("histogram needs a low below its high, got 2.0 and 1.0");
    }
}
