package dev.levee.featureextraction.serve;

import java.net.URI;
import java.util.List;

/**
 * What a storage tier may use, in each of its processes, and whom it serves.
 *
 * @param memory bytes of heap and native memory for requests and answers
 * @param threads requests that are computed at the same time
 * @param objects how objects must begin that may be read, such as {@code s3a://photos/}
 */
public record StorageLimits(long memory, int threads, List<String> objects) {
    public StorageLimits {
        if (memory < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    "memory and threads must be above 0, got %d and %d".formatted(memory, threads));
        }
        objects = List.copyOf(objects);
    }

    /** True if an object may be read. */
    public boolean serves(String object) {
        String plain = URI.create(object).normalize().toString();
        return plain.equals(object) && objects.stream().anyMatch(object::startsWith);
    }
}
