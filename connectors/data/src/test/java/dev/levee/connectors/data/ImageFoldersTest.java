package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32;

import javax.imageio.ImageIO;

class ImageFoldersTest {
    @TempDir Path folder;

    private static byte[] encode(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThat(ImageIO.write(image, format, bytes)).isTrue();
        return bytes.toByteArray();
    }

    private static BufferedImage plain(int width, int height, int rgb) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        int[] pixels = new int[width * height];
        Arrays.fill(pixels, rgb);
        image.setRGB(0, 0, width, height, pixels, 0, width);
        return image;
    }

    private void write(String name, BufferedImage image) throws IOException {
        String format = name.endsWith("png") ? "png" : "jpg";
        Bytes.write(folder.resolve(name), encode(image, format));
    }

    private static float[] read(Dataset dataset, int index) {
        return dataset.batch(new int[] {index}).features();
    }

    @Test
    void readsPngExactly() throws IOException {
        BufferedImage image = plain(2, 2, 0);
        image.setRGB(0, 0, 0xFF0000);
        image.setRGB(1, 0, 0x00FF00);
        image.setRGB(0, 1, 0x0000FF);
        image.setRGB(1, 1, 0x336699);
        write("train/b/x.png", image);
        write("train/a/y.png", plain(2, 2, 0xFFFFFF));
        write("test/b/z.png", image);
        Bytes.write(folder.resolve("train/a/notes.txt"), new byte[3]);
        String uri = "images:" + folder + "?size=2";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        assertThat(train.size()).isEqualTo(2);
        assertThat(train.classes()).isEqualTo(2);
        assertThat(train.shape()).containsExactly(3, 2, 2);
        assertThat(train.label(0)).isZero();
        assertThat(train.label(1)).isEqualTo(1);
        assertThat(read(train, 1)).containsExactly(1, 0, 0, .2f, 0, 1, 0, .4f, 0, 0, 1, .6f);
        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(test.size()).isEqualTo(1);
        assertThat(test.label(0)).isEqualTo(1);
    }

    @Test
    void scalesAndReadsJpeg() throws IOException {
        write("train/a/x.jpg", plain(40, 30, 0x336699));
        write("val/a/x.jpeg", plain(9, 5, 0x993333));
        Dataset train = Datasets.open("images:" + folder, Split.TRAIN);
        assertThat(train.shape()).containsExactly(3, 224, 224);
        float[] features = read(train, 0);
        assertThat(features[0]).isCloseTo(.2f, within(.02f));
        assertThat(features[224 * 224 + 100]).isCloseTo(.4f, within(.02f));
        assertThat(features[3 * 224 * 224 - 1]).isCloseTo(.6f, within(.02f));
        Dataset test = Datasets.open("images:" + folder + "?size=3", Split.TEST);
        assertThat(read(test, 0)[0]).isCloseTo(.6f, within(.02f));
    }

    @Test
    void reducesToWeightedMeans() throws IOException {
        BufferedImage image = plain(4, 1, 0);
        image.setRGB(0, 0, 0xC8C8C8);
        write("train/a/x.png", image);
        Dataset train = Datasets.open("images:" + folder + "?size=2", Split.TRAIN);
        // The left pixel's triangle, centred at 0.5, weighs columns 0 to 2 with 3/4, 3/4 and 1/4.
        float left = Math.round(200 * 3 / 7f) / 255f;
        assertThat(read(train, 0)).startsWith(left, 0, left, 0);
    }

    @Test
    void greyStaysAsItIs() throws IOException {
        BufferedImage grey = new BufferedImage(1, 1, BufferedImage.TYPE_BYTE_GRAY);
        grey.getRaster().setSample(0, 0, 0, 51);
        write("train/a/1.png", grey);
        BufferedImage deep = new BufferedImage(1, 1, BufferedImage.TYPE_USHORT_GRAY);
        deep.getRaster().setSample(0, 0, 0, 51 * 257);
        write("train/a/2.png", deep);
        BufferedImage clear = new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB);
        clear.setRGB(0, 0, 0x80333333);
        write("train/a/3.png", clear);
        Dataset train = Datasets.open("images:" + folder + "?size=1", Split.TRAIN);
        for (int i = 0; i < 3; i++) {
            assertThat(read(train, i)).as("picture %d", i + 1).containsExactly(.2f, .2f, .2f);
        }
    }

    @Test
    void oneLevelIsSplitBySeed() throws IOException {
        for (int i = 0; i < 10; i++) {
            write((i % 2 == 0 ? "cat/" : "dog/") + i + ".png", plain(1, 1, 0x010101 * i));
        }
        String uri = "images:" + folder + "?size=1";
        Dataset train = Datasets.open(uri, Split.TRAIN);
        Dataset test = Datasets.open(uri, Split.TEST);
        assertThat(train.size()).isEqualTo(8);
        assertThat(test.size()).isEqualTo(2);
        boolean[] seen = new boolean[10];
        for (int i = 0; i < 10; i++) {
            Dataset dataset = i < 8 ? train : test;
            int index = i < 8 ? i : i - 8;
            int number = Math.round(read(dataset, index)[0] * 255);
            assertThat(dataset.label(index)).isEqualTo(number % 2);
            seen[number] = true;
        }
        assertThat(seen).containsOnly(true);
    }

    @Test
    void decodesWhenReadWhereMemoryIsShort() throws IOException {
        BufferedImage image = plain(1, 1, 0x336699);
        int side = 2048;
        long count = Runtime.getRuntime().maxMemory() / 8 / (3L * side * side) + 1;
        for (int i = 0; i < count; i++) {
            write("train/a/" + i + ".png", image);
        }
        Bytes.write(folder.resolve("train/b/broken.png"), new byte[] {1, 2, 3});
        Dataset train = Datasets.open("images:" + folder + "?size=" + side, Split.TRAIN);
        float[] features = read(train, 0);
        assertThat(features[0]).isEqualTo(.2f);
        assertThat(features[3 * side * side - 1]).isEqualTo(.6f);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> train.batch(new int[] {train.size() - 1}))
                .withMessageContaining("train/b/broken.png is not a readable image");
    }

    @Tag("long")
    @Test
    void refusesEveryTruncationThatLosesPixels() throws IOException {
        write("train/a/ok.png", plain(8, 8, 0x123456));
        for (String format : new String[] {"png", "jpg"}) {
            BufferedImage image = plain(16, 16, 0x336699);
            image.setRGB(3, 3, 0xFFFFFF);
            byte[] whole = encode(image, format);
            Path file = folder.resolve("train/a/x." + format);
            // After its pixels, a PNG has two checksums and a last chunk of 12 bytes.
            int end = format.equals("png") ? whole.length - 22 : whole.length - 1;
            for (int length = 0; length < end; length++) {
                Bytes.write(file, Arrays.copyOf(whole, length));
                Refused.withSentence(
                        "images:" + folder + "?size=8",
                        Split.TRAIN,
                        file + " is not a readable image");
            }
            Bytes.write(file, whole);
        }
    }

    /** ImageIO's own streams go through files, in a folder that need not be there. */
    @Test
    void decodesWithoutTemporaryFiles() throws IOException {
        write("train/a/x.png", plain(2, 2, 0x336699));
        write("train/a/y.jpg", plain(2, 2, 0x336699));
        Path cache = Files.createDirectory(folder.resolve("cache"));
        ImageIO.setCacheDirectory(cache.toFile());
        Files.delete(cache);
        try {
            Dataset train = Datasets.open("images:" + folder + "?size=2", Split.TRAIN);
            assertThat(read(train, 0)[0]).isEqualTo(.2f);
            assertThat(read(train, 1)[0]).isCloseTo(.2f, within(.02f));
        } finally {
            ImageIO.setCacheDirectory(null);
        }
    }

    @Tag("long")
    @Test
    void refusesPicturesThatInflateBeyondMemory() throws IOException {
        Path file = folder.resolve("train/a/x.png");
        long most = Math.min(1 << 28, Runtime.getRuntime().maxMemory() / 8);
        Bytes.write(file, Bytes.gzip(encode(plain(8, 8, 0x123456), "png")));
        // Gzip files in a row are one.
        byte[] zeros = Bytes.gzip(new byte[1 << 20]);
        for (long written = 0; written <= most; written += 1 << 20) {
            Files.write(file, zeros, StandardOpenOption.APPEND);
        }
        assertThat(Files.size(file)).isLessThan(1 << 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("images:" + folder + "?size=8", Split.TRAIN))
                .withMessageEndingWith(
                        file + " has more than the " + most + " bytes that fit into memory");
    }

    @Test
    void refusesLyingHeadersWithoutAllocating() throws IOException {
        byte[] bytes = encode(plain(8, 8, 0x123456), "png");
        // Width and height are the first eight bytes of the header chunk, at 16; its checksum at
        // 29.
        bytes[17] = 1;
        bytes[21] = 1;
        CRC32 crc = new CRC32();
        crc.update(bytes, 12, 17);
        for (int i = 0; i < 4; i++) {
            bytes[29 + i] = (byte) (crc.getValue() >>> 24 - 8 * i);
        }
        Path file = folder.resolve("train/a/x.png");
        Bytes.write(file, bytes);
        Refused.withSentence(
                "images:" + folder + "?size=8",
                Split.TRAIN,
                file + " is not a readable image: 65544×65544 pixels are more than");
    }

    @Test
    void refusesFoldersThatDoNotFit() throws IOException {
        String uri = "images:" + folder;
        Refused.withSentence(uri, Split.TRAIN, folder + " has no folders, one for each class");
        Bytes.write(folder.resolve("train/a/x.txt"), new byte[1]);
        Refused.withSentence(uri, Split.TRAIN, folder + "/train has no PNG or JPEG files");
        Refused.withSentence(uri, Split.TEST, "has a folder train, but neither test nor val");
        write("test/b/x.png", plain(1, 1, 0));
        Refused.withSentence(uri, Split.TEST, folder + "/test has the class b, which");
        Refused.withSentence(uri + "?seed=3", Split.TEST, "so nothing can be held out");
        Refused.withSentence(
                uri + "?size=0", Split.TRAIN, "size must be a whole number from 1 to 4096");
    }
}
