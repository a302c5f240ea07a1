package dev.levee.estimation.flink;

import dev.levee.estimation.EffectData;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.Map;

/** Caches the tables that this process has read, so that all its slots share them. */
final class SharedData {
    private static final Logger LOG = LoggerFactory.getLogger(SharedData.class);
    private static final Map<Key, SoftReference<EffectData>> READ = new HashMap<>();

    private record Key(EffectSource source, long checksum) {}

    private SharedData() {}

    /**
     * Returns the data of a source. Other callers wait while the data are read.
     *
     * @param checksum expected checksum
     * @throws IllegalStateException if the table has changed; one sentence
     */
    static synchronized EffectData of(EffectSource source, long checksum) {
        Key key = new Key(source, checksum);
        SoftReference<EffectData> held = READ.get(key);
        EffectData data = held == null ? null : held.get();
        if (data == null) {
            data = source.read();
            LOG.info("Read {} for all slots of this process", source.name());
            if (EffectColumns.checksum(data) != checksum) {
                throw new IllegalStateException(
                        "%s has changed since the estimate was submitted: submit it again"
                                .formatted(source.name()));
            }
            READ.put(key, new SoftReference<>(data));
        }
        return data;
    }
}
