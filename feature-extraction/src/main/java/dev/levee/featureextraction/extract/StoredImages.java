package dev.levee.featureextraction.extract;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads stored images, one after the other, each preceded by its length. */
public final class StoredImages {
    private StoredImages() {}

    static byte[] encode(List<byte[]> images) {
        long length = images.stream().mapToLong(image -> Integer.BYTES + image.length).sum();
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(length));
        images.forEach(image -> out.putInt(image.length).put(image));
        return out.array();
    }

    /** Reads the images. */
    public static List<byte[]> decode(byte[] bytes) {
        List<byte[]> images = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
            if (length < 0 || length > buffer.remaining()) {
                throw new IllegalArgumentException("stored images are damaged");
            }
            byte[] image = new byte[length];
            buffer.get(image);
            images.add(image);
        }
        return images;
    }
}
