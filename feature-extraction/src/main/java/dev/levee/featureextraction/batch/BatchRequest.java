package dev.levee.featureextraction.batch;

/**
 * A request that waits for memory.
 *
 * @param id unique among waiting requests
 * @param tenant the tenant of the request
 * @param arrival time of arrival, in any increasing unit
 * @param imageBytes memory of each image of the batch while it passes through the layers
 * @param modelBytes memory of the layers themselves
 * @param most images of the largest batch that the request can use
 * @param overtaken number of plans that left the request out and chose a later one
 */
public record BatchRequest(
        String id,
        String tenant,
        long arrival,
        long imageBytes,
        long modelBytes,
        int most,
        int overtaken) {
    public BatchRequest {
        if (imageBytes < 1 || modelBytes < 0 || most < 1 || overtaken < 0) {
            throw new IllegalArgumentException(
                    ("request %s needs at least 1 byte per image and a batch of at least 1, "
                                    + "got %d and %d")
                            .formatted(id, imageBytes, most));
        }
    }

    /** Memory in bytes with a batch of {@code images}. */
    long bytes(int images) {
        return modelBytes + images * imageBytes;
    }

    BatchRequest overtakenAgain() {
        return new BatchRequest(id, tenant, arrival, imageBytes, modelBytes, most, overtaken + 1);
    }
}
