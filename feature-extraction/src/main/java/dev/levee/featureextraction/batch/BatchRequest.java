package dev.levee.featureextraction.batch;

/**
 * A request that waits for memory.
 *
 * @param id unique among those that wait
 * @param tenant the tenant of the request
 * @param arrival when it came, in any unit that grows
 * @param imageBytes memory that each image of its batch takes while it goes through the layers
 * @param modelBytes memory that the layers themselves take
 * @param most images of the largest batch that is of use to it
 * @param overtaken how many plans have left it out and taken one that came behind it
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

    /** Bytes with a batch of {@code images}. */
    long bytes(int images) {
        return modelBytes + images * imageBytes;
    }

    BatchRequest overtakenAgain() {
        return new BatchRequest(id, tenant, arrival, imageBytes, modelBytes, most, overtaken + 1);
    }
}
