package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Draws digits as photographs: enlarged and grainy JPEG files, in a folder for each class. The
 * grain does not compress, so the files are as large as photographs.
 *
 * @param first the first digit
 * @param last the last digit
 * @param count number of pictures
 * @param side height and width in pixels
 * @param grain largest change of a pixel's value by the grain, of 255
 */
public record DigitPhotos(int first, int last, int count, int side, int grain) {
    private static final float QUALITY = 0.95f;

    /** Draws the pictures into a folder; equal records draw equal pictures. */
    public void draw(Path folder) throws IOException {
        int classes = 10;
        int all = count * classes / (last - first + 1);
        Dataset digits =
                Datasets.open(
                        "strokes:?train=" + all + "&seed=" + (1 + first), Datasets.Split.TRAIN);
        float[] ink = new float[digits.shape()[1] * digits.shape()[2]];
        Random random = new Random(first);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try {
            for (int i = 0; i < digits.size(); i++) {
                int label = digits.label(i);
                if (label >= first && label <= last) {
                    digits.read(i, ink, 0);
                    Path home = folder.resolve(Integer.toString(label));
                    Files.createDirectories(home);
                    write(writer, photo(ink, digits.shape()[2], random), home.resolve(i + ".jpg"));
                }
            }
        } finally {
            writer.dispose();
        }
    }

    private BufferedImage photo(float[] ink, int width, Random random) {
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                float value = ink[y * width / side * width + x * width / side];
                int light = Math.round((255 - 2 * grain) * value) + grain;
                int pixel = 0;
                for (int channel = 0; channel < 3; channel++) {
                    int off = grain == 0 ? 0 : random.nextInt(2 * grain + 1) - grain;
                    pixel = pixel << Byte.SIZE | (light + off);
                }
                image.setRGB(x, y, pixel);
            }
        }
        return image;
    }

    private static void write(ImageWriter writer, BufferedImage image, Path file)
            throws IOException {
        ImageWriteParam quality = writer.getDefaultWriteParam();
        quality.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        quality.setCompressionQuality(QUALITY);
        Files.deleteIfExists(file);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), quality);
        }
    }

    /** Deletes a folder of such pictures. */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
