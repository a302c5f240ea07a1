package dev.levee.featureextraction.batch;

import java.util.List;

/**
 * The requests that run now, with their numbers of images at a time.
 *
 * @param grants requests that run, in the order in which they were chosen
 * @param waiting the others, with how often they have been overtaken so far
 * @param hopeless requests that need more than all of the memory even with their smallest batch
 * @param bytes the memory of the grants
 */
public record BatchPlan(
        List<Grant> grants, List<BatchRequest> waiting, List<BatchRequest> hopeless, long bytes) {
    /**
     * A request that runs.
     *
     * @param request the request
     * @param batch images at a time
     */
    public record Grant(BatchRequest request, int batch) {}
}
