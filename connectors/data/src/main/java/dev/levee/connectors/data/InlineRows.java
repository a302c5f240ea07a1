package dev.levee.connectors.data;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * Samples inside their own address: {@code rows:BASE64?features=N&classes=K}, for each sample its
 * label and features, big-endian, four bytes each.
 */
final class InlineRows {
    /** What an address begins with. */
    static final String SCHEME = "rows:";

    /** Most bytes of samples in one address. */
    static final int MOST_BYTES = 16 << 20;

    private InlineRows() {}

    /** Writes an address. */
    static String address(float[][] features, int[] labels, int classes) {
        if (features.length == 0 || features.length != labels.length) {
            throw new IllegalArgumentException(
                    "a data set needs at least one sample and a label for each, got %d samples and %d labels"
                            .formatted(features.length, labels.length));
        }
        int width = features[0].length;
        long bytes = (long) features.length * (width + 1) * Float.BYTES;
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "samples inside an address may take %d bytes, %d samples of %d features take %d: write them to files instead"
                            .formatted(MOST_BYTES, features.length, width, bytes));
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) bytes);
        for (int i = 0; i < features.length; i++) {
            if (features[i].length != width) {
                throw new IllegalArgumentException(
                        "all samples must have %d features, sample %d has %d"
                                .formatted(width, i, features[i].length));
            }
            buffer.putInt(labels[i]);
            for (float value : features[i]) {
                buffer.putFloat(value);
            }
        }
        return "%s%s?features=%d&classes=%d"
                .formatted(
                        SCHEME, Base64.getEncoder().encodeToString(buffer.array()), width, classes);
    }

    /** Reads an address. */
    static Dataset open(String address) {
        DatasetUri uri = DatasetUri.parse(address);
        uri.check("features", "classes");
        int width = uri.whole("features", 1, 1, Integer.MAX_VALUE / 8);
        int classes = uri.whole("classes", 2, 2, Integer.MAX_VALUE);
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(uri.path()));
        int size = bytes.remaining() / ((width + 1) * Float.BYTES);
        float[][] rows = new float[size][width];
        int[] labels = new int[size];
        for (int i = 0; i < size; i++) {
            labels[i] = bytes.getInt();
            bytes.asFloatBuffer().get(rows[i]);
            bytes.position(bytes.position() + width * Float.BYTES);
        }
        return new ArrayDataset(rows, labels, new int[] {width}, classes);
    }
}
