package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

class FlatFileTest {
    /** More than is read or written at a time. */
    private static final int SIZE = 300_001;

    @TempDir private Path folder;

    @Test
    void hasTheBitsThatWereWrittenInAnyOrder() {
        Random random = new Random(1);
        float[] values = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            values[i] = Float.intBitsToFloat(random.nextInt());
        }
        try (FlatFile file = new FlatFile(folder, SIZE)) {
            file.put(150_000, Arrays.copyOfRange(values, 150_000, SIZE));
            file.put(0, Arrays.copyOf(values, 150_000));
            assertThat(bits(file.all())).isEqualTo(bits(values));
            assertThat(bits(file.range(70_000, 100_000)))
                    .isEqualTo(bits(Arrays.copyOfRange(values, 70_000, 170_000)));
            assertThat(file.range(SIZE, 0)).isEmpty();
        }
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[i]));
        return bits;
    }

    @Test
    void whatWasNotWrittenIsZero() {
        try (FlatFile file = new FlatFile(folder, 5)) {
            file.put(1, new float[] {7});
            assertThat(file.all()).containsExactly(0, 7, 0, 0, 0);
        }
    }

    @Test
    void isGoneWhenItIsClosed() throws IOException {
        new FlatFile(folder.resolve("new"), 5).close();
        try (Stream<Path> left = Files.list(folder.resolve("new"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void refusesWhatIsOutside() {
        try (FlatFile file = new FlatFile(folder, 5)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> file.range(3, 3))
                    .withMessage("a vector of 5 has no 3 coordinates from 3 on");
            assertThatIllegalArgumentException().isThrownBy(() -> file.put(5, new float[1]));
        }
    }
}
