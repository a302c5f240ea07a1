package dev.levee.featureextraction.extract;

import java.util.List;

/**
 * The answer to a request.
 *
 * @param index the index of the request
 * @param labels the labels of the images that could be decoded, in order
 * @param payload the encoded features of these images, or their stored bytes
 * @param bad a sentence for each image that could not be decoded
 * @param storeNanos nanoseconds of reading from the store
 * @param decodeNanos nanoseconds of decoding
 * @param computeNanos nanoseconds of computing layers
 */
public record FeatureBatch(
        int index,
        int[] labels,
        byte[] payload,
        List<String> bad,
        long storeNanos,
        long decodeNanos,
        long computeNanos) {
    /** Maximum bytes of a payload. */
    public static final int LONGEST_PAYLOAD = 1 << 30;
}
