package dev.levee.connectors.kafka.wire;

import java.io.Serializable;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The public keys of the workers that may take part. A run without keys accepts every intact
 * record.
 *
 * @param workers public keys by worker; null in a run without keys
 */
public record KeyRing(Map<Integer, VerifyingKey> workers) implements Serializable {
    /** The ring of a run without keys: every sender is trusted. */
    public static final KeyRing OPEN = new KeyRing(null);

    /** Copies the keys. */
    public KeyRing {
        workers = workers == null ? null : Collections.unmodifiableMap(new TreeMap<>(workers));
    }

    /** True if a worker may take part. */
    public boolean knows(int worker) {
        return workers == null || workers.containsKey(worker);
    }

    /**
     * The public key of a worker, null in a run without keys.
     *
     * @throws IllegalArgumentException if the worker is unknown, because null would mean that it is
     *     trusted
     */
    public VerifyingKey of(int worker) {
        if (!knows(worker)) {
            throw new IllegalArgumentException("there is no key of worker " + worker);
        }
        return workers == null ? null : workers.get(worker);
    }
}
