package dev.levee.featureextraction.batch;

import java.util.List;

/**
 * A planner's decision: the requests that run now, and their batch sizes.
 *
 * @param grants requests that run, in the order in which they were chosen
 * @param waiting the other requests, with updated {@link BatchRequest#overtaken}
 * @param hopeless requests whose smallest batch needs more than the total memory
 * @param bytes total memory of the grants
 */
public record BatchPlan(
        List<Grant> grants, List<BatchRequest> waiting, List<BatchRequest> hopeless, long bytes) {
    /**
     * A request that runs.
     *
     * @param request the request
     * @param batch number of images that it processes at a time
     */
    public record Grant(BatchRequest request, int batch) {}
}
