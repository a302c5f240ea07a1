package dev.levee.featureextraction.serve;

/**
 * The outcome of a request.
 *
 * @param tenant the tenant of the request
 * @param object that was read
 * @param from first image
 * @param to one behind the last
 * @param batch images that went through the layers at a time
 * @param waitedNanos nanoseconds from its arrival to its start
 * @param retries how often the store was asked again
 * @param storeNanos nanoseconds of reading
 * @param decodeNanos nanoseconds of decoding
 * @param computeNanos nanoseconds of layers
 * @param bad images that could not be decoded
 * @param bytes the bytes of the answer
 * @param failure why there is none, else null
 */
public record Served(
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
