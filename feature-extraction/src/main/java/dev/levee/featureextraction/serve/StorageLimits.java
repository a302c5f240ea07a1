package dev.levee.featureextraction.serve;

import java.net.URI;
import java.util.List;

/**
 * The limits of each process of a storage tier, and the objects that it serves.
 *
 * @param memory bytes of heap and native memory for requests and answers
 * @param threads number of requests that run at the same time
 * @param objects prefixes of the objects that may be read, such as {@code s3a://photos/}
 * @param measured true if the measured memory of the process counts too, in addition to the planned
 *     memory of requests
 */
public record StorageLimits(long memory, int threads, List<String> objects, boolean measured) {
    /** The limits of a tier that does not share its processes. */
    public StorageLimits(long memory, int threads, List<String> objects) {
        this(memory, threads, objects, true);
    }

    public StorageLimits {
        if (memory < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "memory and threads must be above 0, got %d and %d".formatted(memory, threads));
        }
        objects = List.copyOf(objects);
    }

    /** These limits for a process that the tier shares with others. */
    public StorageLimits unmeasured() {
        return new StorageLimits(memory, threads, objects, false);
    }

    /** True if an object may be read. */
    public boolean serves(String object) {
        String plain = URI.create(object).normalize().toString();
        return plain.equals(object) && objects.stream().anyMatch(object::startsWith);
    }
}
