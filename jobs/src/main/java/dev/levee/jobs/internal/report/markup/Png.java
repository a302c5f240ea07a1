package dev.levee.jobs.internal.report.markup;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes small images as PNG (ISO/IEC 15948). It avoids the JDK's desktop module, which needs font
 * libraries that a container with a bare JDK lacks.
 */
public final class Png {
    private static final int GRAY = 0;
    private static final int COLOUR = 2;

    private Png() {}

    /**
     * Encodes an image. Values are stretched so that the smallest is black and the largest is
     * white.
     *
     * @param pixels channels, height, width
     * @param shape 1 or 3 channels, height, width
     */
    public static byte[] encode(float[] pixels, int[] shape) {
        float low = Float.POSITIVE_INFINITY;
        float high = Float.NEGATIVE_INFINITY;
        for (float value : pixels) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        return encode(pixels, shape, low, high);
    }

    /**
     * Encodes an image.
     *
     * @param pixels channels, height, width
     * @param shape 1 or 3 channels, height, width
     * @param low value of black; smaller values are also black
     * @param high value of white; larger values are also white
     */
    public static byte[] encode(float[] pixels, int[] shape, float low, float high) {
        int channels = shape[0];
        int height = shape[1];
        int width = shape[2];
        float scale = high > low ? 255 / (high - low) : 0;
        try {
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
                for (int y = 0; y < height; y++) {
                    rows.write(0); // no PNG filter
                    for (int x = 0; x < width; x++) {
                        for (int c = 0; c < channels; c++) {
                            float value = pixels[(c * height + y) * width + x];
                            float clipped = Math.max(low, Math.min(high, value));
                            rows.write(Math.round((clipped - low) * scale));
                        }
                    }
                }
            }
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            DataOutputStream fields = new DataOutputStream(header);
            fields.writeInt(width);
            fields.writeInt(height);
            fields.write(new byte[] {8, (byte) (channels == 1 ? GRAY : COLOUR), 0, 0, 0});

            ByteArrayOutputStream png = new ByteArrayOutputStream();
            png.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
            chunk(png, "IHDR", header.toByteArray());
            chunk(png, "IDAT", data.toByteArray());
            chunk(png, "IEND", new byte[0]);
            return png.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void chunk(ByteArrayOutputStream png, String type, byte[] data)
            throws IOException {
        CRC32 crc = new CRC32();
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        crc.update(name);
        crc.update(data);
        DataOutputStream out = new DataOutputStream(png);
        out.writeInt(data.length);
        out.write(name);
        out.write(data);
        out.writeInt((int) crc.getValue());
    }
}
