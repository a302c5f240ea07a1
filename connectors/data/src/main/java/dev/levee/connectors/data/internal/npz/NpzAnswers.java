package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.internal.table.TableBuilder;

/** What a model is to tell of each sample, in an array: a label, or targets. */
sealed interface NpzAnswers permits NpzLabels, NpzTargets {
    /** Number of samples. */
    int count();

    /** Values of each sample. */
    int each();

    /** Hands a sample's to a table. */
    void add(TableBuilder table, int row, int column);
}
