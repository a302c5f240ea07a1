package dev.levee.estimation.flink;

import dev.levee.estimation.EffectData;

import java.io.Serializable;
import java.util.List;

/** Where every TaskManager has the data of an estimate from. */
public sealed interface EffectSource extends Serializable permits EffectColumns, EffectRows {
    /**
     * Reads the data.
     *
     * @throws IllegalArgumentException if they cannot be read; one sentence
     */
    EffectData read();

    /** As messages call it. */
    String name();

    /** Columns of treatments. */
    List<String> treatments();
}
