package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.JobBounds;

/** Reads a job's request from its resource, as far as the resource contains it. */
final class ResourceBounds {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ResourceBounds() {}

    /**
     * Returns the request that the job reported when it last ran. Without such a report,
     * annotations determine the request; without annotations, it is exactly the job's parallelism.
     * Until the job has run, the local batch is 1 unless annotated, and the learning rate is NaN.
     *
     * @throws IllegalArgumentException if an annotation is invalid; one sentence
     */
    static JobBounds of(FlinkResource resource) {
        return resource.annotation(Keys.LAST_RUN)
                .map(text -> parse(resource, text))
                .orElseGet(() -> annotated(resource));
    }

    /** The request of exactly the job's parallelism, without regard to annotations. */
    static JobBounds exactly(FlinkResource resource) {
        int workers = resource.parallelism();
        return new JobBounds(workers, workers, workers, 1, workers, Double.NaN);
    }

    private static JobBounds annotated(FlinkResource resource) {
        int start = resource.parallelism();
        int most = number(resource, Keys.MAX_WORKERS, start);
        int batch = number(resource, Keys.BATCH, 1);
        return new JobBounds(
                number(resource, Keys.MIN_WORKERS, Math.min(start, most)),
                most,
                Math.min(start, most),
                batch,
                resource.annotation(Keys.MAX_BATCH).isPresent()
                        ? number(resource, Keys.MAX_BATCH, 1)
                        : (long) most * batch,
                Double.NaN);
    }

    private static int number(FlinkResource resource, String key, int otherwise) {
        String text = resource.annotation(key).orElse(Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(text.trim());
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like numbers that are too small.
        }
        throw new IllegalArgumentException(
                "annotation %s must be a whole number from 1, got '%s'".formatted(key, text));
    }

    private static JobBounds parse(FlinkResource resource, String text) {
        JobBounds bounds = null;
        try {
            bounds = JSON.readValue(text, JobBounds.class);
        } catch (JsonProcessingException e) {
            // Reported below, like null.
        }
        if (bounds == null) {
            throw new IllegalArgumentException(
                    "annotation %s of %s was written by Levee and is damaged; remove it"
                            .formatted(Keys.LAST_RUN, resource));
        }
        return bounds;
    }

    static String toJson(JobBounds bounds) {
        try {
            return JSON.writeValueAsString(bounds);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
