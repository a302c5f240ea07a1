package dev.levee.operators.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EncodedRowTest {
    @Test
    void rowsWithoutAWorkerPrecedeThoseOfWorkers() {
        EncodedRow nobodys = new EncodedRow(null, new float[] {2});
        EncodedRow first = new EncodedRow(1L, new float[] {3});
        EncodedRow firstsOther = new EncodedRow(1L, null);
        EncodedRow second = new EncodedRow(2L, new float[] {1});
        assertThat(new EncodedRow[] {nobodys, firstsOther, first, second})
                .isSortedAccordingTo(EncodedRow::compareTo);
        assertThat(nobodys).isLessThan(second).isLessThan(first);
    }

    @Test
    void aRuleThatTrustsAWorkerRefusesRowsWithoutOne() throws Exception {
        RuleFunction monna = new RuleFunction("monna");
        Rows rows = monna.createAccumulator();
        monna.accumulate(rows, new Float[] {1f}, 0L, 1);
        monna.accumulate(rows, new Float[] {2f}, null, 1);
        assertThatThrownBy(() -> monna.getValue(rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("monna trusts w0, but some rows have no worker");
    }
}
