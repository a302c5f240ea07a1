package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RowMapTest {
    @Test
    void selects() {
        RowMap map = RowMap.select(new int[] {2, 0}, 4);
        assertThat(map.weights()).isDeepEqualTo(new double[][] {{0, 0, 1, 0}, {1, 0, 0, 0}});
        assertThat(map.selected(0)).isEqualTo(2);
        assertThat(map.uses(0)).isTrue();
        assertThat(map.uses(1)).isFalse();
        RowMap mixed = new RowMap(new double[][] {{0.5, 0.5}, {0, 0}, {2, 0}});
        assertThat(mixed.selected(0)).isEqualTo(-1);
        assertThat(mixed.selected(1)).isEqualTo(-1);
        assertThat(mixed.selected(2)).isEqualTo(-1);
    }

    /** Rows a, b, c become a+b, 2c; then their mean and their difference. */
    @Test
    void multiplies() {
        RowMap first = new RowMap(new double[][] {{1, 1, 0}, {0, 0, 2}});
        RowMap second = new RowMap(new double[][] {{0.5, 0.5}, {1, -1}});
        assertThat(second.after(first).weights())
                .isDeepEqualTo(new double[][] {{0.5, 0.5, 1}, {1, 1, -2}});
        RowMap identity = RowMap.identity(3, 3);
        assertThat(first.after(identity).weights()).isDeepEqualTo(first.weights());
    }

    @Test
    void keepsReferencesBehindTheRows() {
        RowMap first = new RowMap(new double[][] {{1, 1, 0}, {0, 0, 2}});
        RowMap second = new RowMap(new double[][] {{1, 0, 7}});
        assertThat(second.after(first).weights()).isDeepEqualTo(new double[][] {{1, 1, 0, 7}});
        assertThatThrownBy(() -> new RowMap(new double[][] {{1}}).after(first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("over 1 points cannot follow one with 2 rows");
    }
}
