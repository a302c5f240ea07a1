package dev.levee.k8s.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.JobSpec;

/**
 * What a job asks for, as far as its resource tells.
 *
 * @param minWorkers fewest workers
 * @param maxWorkers most workers
 * @param startWorkers workers that it starts with
 * @param localBatch samples per worker and round; 1 where nobody knows yet
 * @param maxGlobalBatch most samples per round over all workers
 * @param learningRate at {@code startWorkers × localBatch} samples per round; NaN where nobody
 *     knows
 */
record Bounds(
        int minWorkers,
        int maxWorkers,
        int startWorkers,
        int localBatch,
        long maxGlobalBatch,
        double learningRate) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What the job itself said when it last ran, or else the annotations, or else exactly its
     * parallelism.
     *
     * @throws IllegalArgumentException if an annotation makes no sense; one sentence
     */
    static Bounds of(FlinkResource resource) {
        return resource.annotation(Keys.LAST_RUN)
                .map(text -> parse(resource, text))
                .orElseGet(() -> annotated(resource));
    }

    /** Exactly its parallelism, whatever else it says. */
    static Bounds exactly(FlinkResource resource) {
        int workers = resource.parallelism();
        return new Bounds(workers, workers, workers, 1, workers, Double.NaN);
    }

    static Bounds of(JobSpec spec) {
        return new Bounds(
                spec.minWorkers(),
                spec.maxWorkers(),
                spec.startWorkers(),
                spec.localBatch(),
                spec.maxGlobalBatch(),
                spec.learningRate());
    }

    private static Bounds annotated(FlinkResource resource) {
        int start = resource.parallelism();
        int most = number(resource, Keys.MAX_WORKERS, start);
        int batch = number(resource, Keys.BATCH, 1);
        return new Bounds(
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
            // Said below, as for numbers that are too small.
        }
        throw new IllegalArgumentException(
                "annotation %s must be a whole number from 1, got '%s'".formatted(key, text));
    }

    private static Bounds parse(FlinkResource resource, String text) {
        Bounds bounds = null;
        try {
            bounds = JSON.readValue(text, Bounds.class);
        } catch (JsonProcessingException e) {
            // Said below, as for a null.
        }
        if (bounds == null) {
            throw new IllegalArgumentException(
                    "annotation %s of %s is Levee's own and no longer readable; remove it"
                            .formatted(Keys.LAST_RUN, resource));
        }
        return bounds;
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    JobSpec spec(FlinkResource resource) {
        return new JobSpec(
                resource.id(),
                resource.created(),
                minWorkers,
                maxWorkers,
                startWorkers,
                localBatch,
                maxGlobalBatch,
                learningRate);
    }

    /** Of a job whose workers cannot be changed now. */
    JobSpec held(FlinkResource resource, int workers) {
        long batch = Math.max(maxGlobalBatch, (long) workers * localBatch);
        return new Bounds(workers, workers, workers, localBatch, batch, learningRate)
                .spec(resource);
    }
}
