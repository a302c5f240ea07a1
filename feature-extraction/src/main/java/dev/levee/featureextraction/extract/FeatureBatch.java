package dev.levee.featureextraction.extract;

import java.util.List;

/**
 * The answer to a request.
 *
 * @param index of the request
 * @param labels of the images that could be decoded, in order
 * @param payload their features, encoded, or their stored bytes
 * @param bad what could not be decoded, a sentence for each
 * @param storeNanos nanoseconds of reading from the store
 * @param decodeNanos nanoseconds of decoding
 * @param computeNanos nanoseconds of layers
 */
public record FeatureBatch(
        int index,
        int[] labels,
        byte[] payload,
        List<String> bad,
        long storeNanos,
        long decodeNanos,
        long computeNanos) {}
