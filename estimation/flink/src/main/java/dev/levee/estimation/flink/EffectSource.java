package dev.levee.estimation.flink;

import dev.levee.estimation.EffectData;

import java.io.Serializable;
import java.util.List;

/** The source of an estimate's data. Every TaskManager reads it. */
public sealed interface EffectSource extends Serializable permits EffectColumns, EffectRows {
    /**
     * Reads the data.
     *
     * @throws IllegalArgumentException if the data cannot be read; one sentence
     */
    EffectData read();

    /** The name of the source in messages. */
    String name();

    /** Columns of treatments. */
    List<String> treatments();
}
