package dev.levee.federated.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

@Tag("native")
class ImageScorerTest {
    private static final String DATA = "strokes:?train=2500&test=600";

    private static ImageScorer scorer;
    private static Dataset test;

    @BeforeAll
    static void train() {
        scorer = ImageScorer.train(DATA);
        test = Datasets.open(DATA, Datasets.Split.TEST);
    }

    private static float[] images(int[] indexes) {
        return test.batch(indexes).features();
    }

    @Test
    void theNetworkReadsDigits() {
        assertThat(scorer.accuracy()).isGreaterThan(0.9);
        assertThat(scorer.network()).isEqualTo("feature-cnn64");
    }

    /**
     * Real images nobody has trained on are near, those of half of the classes far, noise farther.
     */
    @Test
    void theLessAlikeTheLargerTheDistance() {
        int[] all = IntStream.range(0, 600).toArray();
        int[] half = Arrays.stream(all).filter(i -> test.label(i) < 5).toArray();
        ImageScore real = scorer.score(images(all), all.length);
        ImageScore some = scorer.score(images(half), half.length);
        Random random = new Random(1);
        float[] noise = new float[600 * 784];
        for (int i = 0; i < noise.length; i++) {
            noise[i] = random.nextFloat();
        }
        ImageScore drawn = scorer.score(noise, 600);
        assertThat(some.frechet()).isGreaterThan(3 * real.frechet());
        assertThat(drawn.frechet()).isGreaterThan(some.frechet());
        assertThat(real.coverage()).isEqualTo(1);
        assertThat(some.coverage()).isBetween(0.5, 0.6);
        assertThat(Arrays.stream(real.byClass()).sum()).isEqualTo(600);
    }

    @Test
    void theSameDataGiveTheSameScores() {
        int[] some = IntStream.range(0, 100).toArray();
        ImageScore first = scorer.score(images(some), 100);
        ImageScore again = ImageScorer.train(DATA).score(images(some), 100);
        assertThat(again.frechet()).isEqualTo(first.frechet());
        assertThat(again.byClass()).isEqualTo(first.byClass());
    }

    @Test
    void imagesThatAreNoNumbersHaveNoDistance() {
        float[] broken = new float[2 * 784];
        Arrays.fill(broken, Float.NaN);
        assertThat(scorer.score(broken, 2).frechet()).isNaN();
    }

    /** Three of ten classes are there; one image of a thousand is no class. */
    @Test
    void aClassIsCoveredFromATenthOfItsShareOn() {
        assertThat(new ImageScore(0, new long[] {500, 489, 10, 1, 0, 0, 0, 0, 0, 0}).coverage())
                .isEqualTo(0.3);
    }

    @Test
    void refusesWhatIsNoImage() {
        String rows = Datasets.inline(new float[][] {{1, 2}, {3, 4}}, new int[] {0, 1}, 2);
        assertThatThrownBy(() -> ImageScorer.train(rows))
                .hasMessageContaining("takes images of (channels, height, width)");
    }
}
