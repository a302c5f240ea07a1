package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.internal.image.ByteDataset;

import org.junit.jupiter.api.Test;

import java.util.List;

class HeapBytesTest {
    /** An array's header, the reference to it, and the label take 24 bytes of each sample. */
    @Test
    void samplesTakeTheirValuesAndAnArrayEach() {
        Dataset bytes =
                new ByteDataset(
                        new byte[3][12], new int[3], new int[] {3, 2, 2}, 2, List.of("a", "b"));
        Dataset floats = new ArrayDataset(new float[3][12], new int[3], new int[] {12}, 2);

        assertThat(bytes.heapBytes()).isEqualTo(3 * (12 + 24));
        assertThat(floats.heapBytes()).isEqualTo(3 * (4 * 12 + 24));
        assertThat(new OwnedDataset(floats, new int[3], 1).heapBytes())
                .isEqualTo(floats.heapBytes());
        assertThat(Datasets.open("strokes:?train=20&test=10", Datasets.Split.TEST).heapBytes())
                .isEqualTo(10 * (784 + 24));
    }
}
