package dev.levee.featureextraction.serve;

/**
 * The outcome of a request.
 *
 * @param tenant the tenant of the request
 * @param object the object that was read
 * @param from first image
 * @param to last image, exclusive
 * @param batch number of images that were processed at a time
 * @param waitedNanos nanoseconds from the request's arrival to its start
 * @param retries number of further attempts to read from the store
 * @param storeNanos nanoseconds of reading
 * @param decodeNanos nanoseconds of decoding
 * @param computeNanos nanoseconds of computing layers
 * @param bad number of images that could not be decoded
 * @param bytes bytes of the answer
 * @param failure the reason if there is no answer, otherwise null
 */
public record RequestOutcome(
        String tenant,
        String object,
        int from,
        int to,
        int batch,
        long waitedNanos,
        int retries,
        long storeNanos,
        long decodeNanos,
        long computeNanos,
        int bad,
        long bytes,
        String failure) {}
