package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;

class StrokesTest {
    private static float[] sample(Dataset dataset, int index) {
        return dataset.batch(new int[] {index}).features();
    }

    @Test
    void hasTheShapeOfMnist() {
        Dataset train = Datasets.open("strokes:", Split.TRAIN);
        assertThat(train.size()).isEqualTo(10_000);
        assertThat(Datasets.open("strokes:", Split.TEST).size()).isEqualTo(2_000);
        assertThat(train.shape()).containsExactly(1, 28, 28);
        assertThat(train.classes()).isEqualTo(10);
        for (float value : sample(train, 5)) {
            assertThat(value).isBetween(0f, 1f);
        }
        float[] out = new float[786];
        train.read(5, out, 1);
        assertThat(out[0]).isZero();
        assertThat(out[785]).isZero();
    }

    @Test
    void everyTenSamplesAreTheTenDigits() {
        Dataset train = Datasets.open("strokes:?seed=3", Split.TRAIN);
        for (int start = 0; start < 500; start += 10) {
            assertThat(IntStream.range(start, start + 10).map(train::label))
                    .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    @Test
    void isTheSameOnEveryMachine() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Split split : Split.values()) {
            Dataset dataset = Datasets.open("strokes:?train=200&test=200&seed=7", split);
            for (int i = 0; i < 200; i++) {
                digest.update((byte) dataset.label(i));
                for (float value : sample(dataset, i)) {
                    digest.update((byte) Math.round(value * 255));
                }
            }
        }
        assertThat(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("95c74d199deaf1ebc64e81d61e29effaedac12fc4cf034620ac09aa19cfcda66");
    }

    @Test
    void aSampleDependsOnSeedSplitAndIndexAlone() {
        Dataset large = Datasets.open("strokes:?seed=7", Split.TRAIN);
        Dataset small = Datasets.open("strokes:?train=15&test=3&seed=7", Split.TRAIN);
        for (int i = 14; i >= 0; i--) {
            assertThat(small.label(i)).isEqualTo(large.label(i));
            assertThat(sample(small, i)).isEqualTo(sample(large, i));
        }
        assertThat(sample(large, 0)).isEqualTo(sample(large, 0));
        assertThat(sample(large, 0)).isNotEqualTo(sample(large, 1));
        float[] test = sample(Datasets.open("strokes:?seed=7", Split.TEST), 0);
        assertThat(sample(large, 0)).isNotEqualTo(test);
        float[] seeded = sample(Datasets.open("strokes:?seed=8", Split.TRAIN), 0);
        assertThat(sample(large, 0)).isNotEqualTo(seeded);
    }

    @Test
    void concurrentReadersSeeWholeDigits() {
        Dataset one = Datasets.open("strokes:?train=400&seed=11", Split.TRAIN);
        Dataset other = Datasets.open("strokes:?train=401&seed=11", Split.TRAIN);
        long wrong =
                IntStream.range(0, 4000)
                        .parallel()
                        .filter(i -> !Arrays.equals(sample(one, i % 400), sample(other, i % 400)))
                        .count();
        assertThat(wrong).isZero();
    }

    @Tag("long")
    @Test
    void isNeitherTrivialNorHopeless() {
        for (int seed = 1; seed <= 3; seed++) {
            String uri = "strokes:?train=5000&test=2000&seed=" + seed;
            double accuracy =
                    NearestCentroid.accuracy(
                            Datasets.open(uri, Split.TRAIN), Datasets.open(uri, Split.TEST));
            assertThat(accuracy).as("seed %d", seed).isBetween(0.75, 0.85);
        }
    }
}
