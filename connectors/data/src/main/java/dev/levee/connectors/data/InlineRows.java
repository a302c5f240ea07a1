package dev.levee.connectors.data;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Base64;
import java.util.List;

/**
 * Writes samples into an address, and reads them back. {@code rows:BASE64?features=N&classes=K}
 * holds the label and the features of each sample, big-endian, four bytes each; {@code
 * rows:BASE64?features=N&targets=K} holds its targets and features.
 */
final class InlineRows {
    /** The scheme of inline addresses. */
    static final String SCHEME = "rows:";

    /** Maximum bytes of samples in one address. */
    static final int MOST_BYTES = 16 << 20;

    private InlineRows() {}

    /** Writes an address. */
    static String address(float[][] features, int[] labels, int classes) {
        int width = width(features, labels.length, 1, "a label", "labels");
        ByteBuffer buffer = ByteBuffer.allocate(features.length * (width + 1) * Float.BYTES);
        for (int i = 0; i < features.length; i++) {
            buffer.putInt(labels[i]);
            put(features[i], buffer);
        }
        return address(buffer, width, "classes", classes);
    }

    /** Writes an address of samples with targets. */
    static String address(float[][] features, float[][] targets) {
        int each = targets.length == 0 ? 0 : targets[0].length;
        int width = width(features, targets.length, each, "targets", "of them");
        ByteBuffer buffer = ByteBuffer.allocate(features.length * (width + each) * Float.BYTES);
        for (int i = 0; i < features.length; i++) {
            if (targets[i].length != each || each == 0) {
                throw new IllegalArgumentException(
                        "all samples must have equally many targets, at least one; sample %d has %d"
                                .formatted(i, targets[i].length));
            }
            put(targets[i], buffer);
            put(features[i], buffer);
        }
        return address(buffer, width, "targets", each);
    }

    /**
     * Returns the number of features per sample. Fails if samples have different numbers, or if
     * they do not fit into an address.
     */
    private static int width(
            float[][] features, int answers, int each, String answer, String several) {
        if (features.length == 0 || features.length != answers) {
            throw new IllegalArgumentException(
                    "a data set needs at least one sample and %s for each, got %d samples and %d %s"
                            .formatted(answer, features.length, answers, several));
        }
        int width = features[0].length;
        long bytes = (long) features.length * (width + each) * Float.BYTES;
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    ("samples inside an address may take %d bytes, but %d samples of %d "
                                    + "features take %d: write them to files instead")
                            .formatted(MOST_BYTES, features.length, width, bytes));
        }
        for (int i = 0; i < features.length; i++) {
            if (features[i].length != width) {
                throw new IllegalArgumentException(
                        "all samples must have %d features, sample %d has %d"
                                .formatted(width, i, features[i].length));
            }
        }
        return width;
    }

    private static void put(float[] values, ByteBuffer buffer) {
        for (float value : values) {
            buffer.putFloat(value);
        }
    }

    private static String address(ByteBuffer buffer, int width, String answer, int count) {
        return "%s%s?features=%d&%s=%d"
                .formatted(
                        SCHEME,
                        Base64.getEncoder().encodeToString(buffer.array()),
                        width,
                        answer,
                        count);
    }

    /** Reads an address. */
    static Dataset open(String address) {
        DatasetUri uri = DatasetUri.parse(address);
        uri.check("features", "classes", "targets");
        int width = uri.whole("features", 1, 1, Integer.MAX_VALUE / 8);
        if (uri.has("targets")) {
            return targeted(uri, width);
        }
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

    private static Dataset targeted(DatasetUri uri, int width) {
        int each = uri.whole("targets", 1, 1, Integer.MAX_VALUE / 8);
        FloatBuffer values =
                ByteBuffer.wrap(Base64.getDecoder().decode(uri.path())).asFloatBuffer();
        int size = values.remaining() / (width + each);
        float[][] rows = new float[size][width];
        float[][] targets = new float[size][each];
        for (int i = 0; i < size; i++) {
            values.get(targets[i]);
            values.get(rows[i]);
        }
        Dataset samples = new ArrayDataset(rows, new int[size], new int[] {width}, 1);
        return new TargetDataset(samples, targets, List.of());
    }
}
