package dev.levee.featureextraction.extract;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads stored images, one after the other, each preceded by its length. */
public final class StoredImages {
    private StoredImages() {}

    static byte[] encode(List<byte[]> images) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] image : images) {
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(image.length).array());
            out.writeBytes(image);
        }
        return out.toByteArray();
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
