package dev.levee.estimation.flink;

import dev.levee.estimation.EffectData;

import java.io.Serializable;
import java.util.List;

/** The source from which every TaskManager reads the data of an estimate. */
public sealed interface EffectSource extends Serializable permits EffectColumns, EffectRows {
    /**
     * Reads the data.
     *
     * @throws IllegalArgumentException if they cannot be read; one sentence
     */
    EffectData read();

    /** Its name in messages. */
    String name();

    /** Columns of treatments. */
    List<String> treatments();
}
