package dev.levee.connectors.data;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Decodes PNG and JPEG files to square RGB pictures; needs no display and no temporary files. */
public final class Picture {
    private Picture() {}

    /**
     * The whole image, scaled to a square without keeping its proportions.
     *
     * @param file content of a PNG or JPEG file
     * @param side width and height of the result in pixels
     * @return red, then green, then blue, each row by row
     * @throws IOException if it is not a readable image; a phrase with the reason
     */
    public static byte[] decode(byte[] file, int side) throws IOException {
        BufferedImage image = read(file, side);
        float[][] channels = channels(image);
        byte[] square = new byte[3 * side * side];
        for (int channel = 0; channel < 3; channel++) {
            Resampler.resample(
                    channels[channel],
                    image.getWidth(),
                    image.getHeight(),
                    side,
                    square,
                    channel * side * side);
        }
        return square;
    }

    /** True if a file's content can be decoded. */
    public static boolean isReadable(byte[] file) {
        try {
            decode(file, 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static BufferedImage read(byte[] file, int side) throws IOException {
        try (ImageInputStream in =
                new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            if (!readers.hasNext()) {
                throw new IIOException("no known format");
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(in, true, true);
                int width = reader.getWidth(0);
                int height = reader.getHeight(0);
                checkSize(width, height, side);
                List<String> warnings = new ArrayList<>();
                reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
                BufferedImage image = reader.read(0);
                // Java fills in missing JPEG data and only warns.
                for (String warning : warnings) {
                    if (warning.startsWith("Truncated")) {
                        throw new IIOException("it ends too early");
                    }
                }
                return image;
            } finally {
                reader.dispose();
            }
        } catch (IOException | RuntimeException e) {
            // Java's decoders throw arbitrary exceptions on damaged files.
            String why = e.getMessage() == null ? "its data are broken" : e.getMessage();
            throw new IOException(why, e);
        }
    }

    /**
     * Refuses a picture that could fill the heap: decoding and scaling take up to 64 bytes per
     * pixel.
     */
    private static void checkSize(int width, int height, int side) throws IIOException {
        long pixels = Math.max((long) width, side) * height;
        long most = Math.min(1 << 26, Runtime.getRuntime().maxMemory() / 64);
        if (pixels > most) {
            throw new IIOException(
                    "%s×%s pixels are more than the %s that fit into memory"
                            .formatted(width, height, most));
        }
    }

    /** Red, green and blue, 0 to 255, row by row; transparency is ignored. */
    private static float[][] channels(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        ColorModel colors = image.getColorModel();
        // Java interprets gray samples as linear light, and would brighten them in RGB.
        if (colors.getNumColorComponents() == 1 && !(colors instanceof IndexColorModel)) {
            Raster raster = image.getRaster();
            float[] grey = raster.getSamples(0, 0, width, height, 0, (float[]) null);
            float scale = 255f / ((1 << colors.getComponentSize(0)) - 1);
            for (int i = 0; i < grey.length; i++) {
                grey[i] *= scale;
            }
            return new float[][] {grey, grey, grey};
        }
        float[][] channels = new float[3][width * height];
        // JPEG images have this layout; reading its bytes avoids getRGB.
        if (image.getType() == BufferedImage.TYPE_3BYTE_BGR
                && image.getRaster().getDataBuffer() instanceof DataBufferByte buffer
                && buffer.getSize() == 3 * width * height) {
            byte[] bytes = buffer.getData();
            for (int i = 0; i < width * height; i++) {
                channels[0][i] = bytes[3 * i + 2] & 0xFF;
                channels[1][i] = bytes[3 * i + 1] & 0xFF;
                channels[2][i] = bytes[3 * i] & 0xFF;
            }
            return channels;
        }
        int[] row = new int[width];
        for (int y = 0; y < height; y++) {
            image.getRGB(0, y, width, 1, row, 0, width);
            for (int x = 0; x < width; x++) {
                channels[0][y * width + x] = row[x] >> 16 & 0xFF;
                channels[1][y * width + x] = row[x] >> 8 & 0xFF;
                channels[2][y * width + x] = row[x] & 0xFF;
            }
        }
        return channels;
    }
}
