package dev.levee.estimation.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

import java.util.List;

class TableRowsTest {
    /** The changes of {@code SELECT id, MAX(d) … GROUP BY id}, which later drops an id. */
    @Test
    void retractedRowsAreNoObservations() {
        List<Row> changes =
                List.of(
                        Row.ofKind(RowKind.INSERT, 1, 0.5),
                        Row.ofKind(RowKind.INSERT, 2, 0.5),
                        Row.ofKind(RowKind.UPDATE_BEFORE, 1, 0.5),
                        Row.ofKind(RowKind.UPDATE_AFTER, 1, 0.7),
                        Row.ofKind(RowKind.DELETE, 2, 0.5));
        assertThat(TableRows.apply(changes.iterator(), 2)).containsExactly(Row.of(1, 0.7));
    }

    @Test
    void equalRowsAreSeveralObservations() {
        Row row = Row.of(1, 0.5);
        assertThat(TableRows.apply(List.of(row, row).iterator(), 2)).containsExactly(row, row);
        assertThatThrownBy(() -> TableRows.apply(List.of(row, row).iterator(), 1))
                .hasMessage(
                        "EffectEstimator takes tables of up to 16 MiB, got more: write them to"
                                + " files");
    }
}
