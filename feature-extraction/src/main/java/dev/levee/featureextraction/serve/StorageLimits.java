package dev.levee.featureextraction.serve;

import dev.levee.featureextraction.batch.BatchPlanner;
import dev.levee.featureextraction.batch.BatchRequest;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;

import org.apache.flink.core.fs.Path;

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

    /** True if a tier with these limits can answer a request. */
    public boolean admit(Extraction extraction, FeatureRequest request) {
        return answerable(extraction, request)
                && BatchPlanner.DEFAULT.fits(planned(extraction, request, "", 0), memory);
    }

    /** True if a message can carry the answer to a request. */
    public static boolean answerable(Extraction extraction, FeatureRequest request) {
        return extraction.answerBytes(request) <= FeatureBatch.LONGEST_PAYLOAD;
    }

    /** Describes a request and its memory to the planner. */
    static BatchRequest planned(
            Extraction extraction, FeatureRequest request, String tenant, long number) {
        return new BatchRequest(
                number + " of " + tenant,
                tenant,
                number,
                extraction.imageBytes(),
                // Parameters take memory twice: in the heap, and in PyTorch.
                extraction.parameterBytes() + extraction.fixedBytes(request),
                Math.min(request.images(), extraction.mostImages()),
                0);
    }

    /**
     * True if an object may be read.
     *
     * @param object as {@link Path#toString} writes it, which escapes nothing
     * @throws IllegalArgumentException if it is not a path; one sentence
     */
    public boolean serves(String object) {
        // A path is normalized when it is created, so one with ".." differs from its text.
        return new Path(object).toString().equals(object)
                && objects.stream().anyMatch(object::startsWith);
    }
}
