package dev.levee.estimation.flink;

import dev.levee.estimation.EffectData;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.Map;

/** Tables that this process has read, once for all its slots. */
final class SharedData {
    private static final Logger LOG = LoggerFactory.getLogger(SharedData.class);
    private static final Map<Key, SoftReference<EffectData>> READ = new HashMap<>();

    private record Key(EffectColumns columns, long checksum) {}

    private SharedData() {}

    /**
     * The data of some columns. Other callers wait while they are read.
     *
     * @param checksum expected checksum
     * @throws IllegalStateException if the table has changed; one sentence
     */
    static synchronized EffectData of(EffectColumns columns, long checksum) {
        Key key = new Key(columns, checksum);
        SoftReference<EffectData> held = READ.get(key);
        EffectData data = held == null ? null : held.get();
        if (data == null) {
            data = columns.read();
            LOG.info("Read {} for all slots of this process", columns.data());
            if (EffectColumns.checksum(data) != checksum) {
                throw new IllegalStateException(
                        "%s is not what it was when the estimate was submitted: submit it again"
                                .formatted(columns.data()));
            }
            READ.put(key, new SoftReference<>(data));
        }
        return data;
    }
}
