package dev.levee.operators.flink.table;

import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.api.dataview.MapView;

/**
 * The state of an aggregate: a multiset of rows, so any row can be retracted, and partial states
 * can be merged in any order. Fields are public because Flink's structured types read them.
 */
public class Rows {
    /** Byzantine rows to tolerate; −1 before the first row. */
    public int byzantine = -1;

    /** The rule as text, empty before the first row. */
    public String rule = "";

    /** Number of copies of each row, by {@link EncodedRow#text}. */
    @DataTypeHint("MAP<STRING, INT>")
    public MapView<String, Integer> counts = new MapView<>();
}
