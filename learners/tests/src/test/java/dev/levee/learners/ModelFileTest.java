package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.NumpyArray;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

class ModelFileTest {
    private static final Layout LAYOUT =
            new Layout(
                    List.of(
                            new Segment("fc.weight", new long[] {2, 3}, 0, true),
                            new Segment("fc.bias", new long[] {2}, 6, true)));
    private static final float[] VALUES = {
        1, -2.5f, 3, Float.NaN, 0, Float.MAX_VALUE, -0f, Float.MIN_VALUE
    };

    @Test
    void readsBackWhatItWrote(@TempDir Path folder) {
        Path file = folder.resolve("model.npz");
        ModelFile.write(file, LAYOUT, VALUES);
        assertThat(ModelFile.read(file, LAYOUT)).isEqualTo(VALUES);
    }

    @Test
    void writesTheSameBytesForTheSameModel() throws IOException {
        assertThat(written(LAYOUT)).isEqualTo(written(LAYOUT));
    }

    @Test
    void anArrayIsWhatNumpyWouldWrite() throws IOException {
        byte[] file = written(LAYOUT);
        String text = new String(file, StandardCharsets.ISO_8859_1);
        int start = text.indexOf("\u0093NUMPY");
        assertThat(text.substring(start + 6, start + 10)).isEqualTo("\1\0\u0076\0");
        assertThat(text.substring(start + 10, start + 128))
                .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   ")
                .endsWith(" \n");
        assertThat(Arrays.copyOfRange(file, start + 128, start + 136))
                .containsExactly(0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0);
        assertThat(text).contains("'shape': (2,), }").contains("fc.weight.npy");
    }

    /** NumPy stored these arrays in a pipe, with their sizes behind them. */
    @Test
    void readsWhatNumpyWroteToAPipe() throws IOException {
        Layout layout =
                new Layout(
                        List.of(
                                new Segment("weight", new long[] {2, 2}, 0, true),
                                new Segment("bias", new long[] {2}, 4, true)));
        Path file = Path.of("src/test/resources/torch/arrays.npz");
        assertThat(ModelFile.read(file, layout)).containsExactly(1, 2, 3, 4.5f, 5, 6);
        assertThat(read(Files.readAllBytes(file), layout)).containsExactly(1, 2, 3, 4.5f, 5, 6);
    }

    @Test
    void saysHowAnotherModelDiffers() throws IOException {
        byte[] file = written(LAYOUT);
        assertThatThrownBy(() -> read(file, segment("fc.weight", 3, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("array fc.weight has shape (2, 3) instead of (3, 2)");
        assertThatThrownBy(() -> read(file, segment("fc.weight", 2, 3)))
                .hasMessage("array fc.bias.npy is not part of the model");
        assertThatThrownBy(() -> read(written(segment("a", 2)), segments("a", "b")))
                .hasMessage("array b is missing");
    }

    @Test
    void saysWhatIsWrongWithAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("text.npz");
        Files.writeString(file, "no zip file");
        assertThatThrownBy(() -> ModelFile.read(file, LAYOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("model file " + file + ": not an npz file, or an empty one");
        assertThatThrownBy(() -> ModelFile.read(folder.resolve("none"), LAYOUT))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot read model file " + folder.resolve("none"));
    }

    @Test
    void saysWhatOtherFilesAre() throws IOException {
        byte[] file = written(LAYOUT);
        assertThatThrownBy(() -> read(Arrays.copyOf(file, file.length - 30), LAYOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("damaged zip file: its central directory cannot be read");
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        NumpyArray.write(array, new long[] {1}, List.of(FloatBuffer.allocate(1)));
        assertThatThrownBy(() -> read(array.toByteArray(), LAYOUT))
                .hasMessage("a single .npy array, but an .npz of numpy.savez is needed");
        byte[] torch = Files.readAllBytes(Path.of("src/test/resources/torch/state-dict.pt"));
        assertThatThrownBy(() -> read(torch, LAYOUT))
                .hasMessage("it holds state-dict/data.pkl, which numpy.savez does not write");
        assertThatThrownBy(() -> read(new byte[1 << 20], LAYOUT))
                .hasMessage("it is longer than the 786464 bytes that this model can take");
        byte[] flipped = file.clone();
        flipped[180] ^= 1;
        assertThatThrownBy(() -> read(flipped, LAYOUT))
                .hasMessageStartingWith("damaged zip file: array fc.weight: ");
    }

    @Test
    void doesNotBelieveHeaders() throws IOException {
        Layout one = segment("a", 2);
        assertThatThrownBy(() -> read(entry("{'descr': '<f8', 'shape': (2,)}", 16), one))
                .hasMessage("array a has type <f8 instead of <f4");
        assertThatThrownBy(() -> read(entry(header("(2,)"), 7), one))
                .hasMessage("array a ends too early");
        assertThatThrownBy(() -> read(entry(header("(2,)"), 9), one))
                .hasMessage("array a is longer than its shape says");
        // 64 MiB of zeros in 64 KiB.
        assertThatThrownBy(() -> read(entry(header("(2,)"), 64 << 20), one))
                .hasMessage("array a is longer than its shape says");
        assertThatThrownBy(() -> read(entry(header("(9999999999,)"), 8), one))
                .hasMessage("array a has shape (9999999999,) instead of (2,)");
        assertThatThrownBy(() -> read(entry(header("(99999999999999999999,)"), 8), one))
                .hasMessage("array a has an unreadable shape");
        assertThatThrownBy(() -> read(entry("nonsense", 8), one))
                .hasMessage("array a has an unreadable header");
        assertThat(read(entry(header("(2,)"), 8), one)).containsExactly(0, 0);
    }

    @Tag("long")
    @Test
    void damagedFilesNeverDoWorseThanFail() throws IOException {
        byte[] file = written(LAYOUT);
        for (int seed = 0; seed < 1_500; seed++) {
            Random random = new Random(seed);
            byte[] damaged = Arrays.copyOf(file, 1 + random.nextInt(file.length));
            for (int i = random.nextInt(4); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                read(damaged, LAYOUT);
            } catch (IllegalArgumentException | IOException e) {
                assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
            }
        }
    }

    private static Layout segment(String name, long... shape) {
        return new Layout(List.of(new Segment(name, shape, 0, true)));
    }

    private static Layout segments(String first, String second) {
        return new Layout(
                List.of(
                        new Segment(first, new long[] {2}, 0, true),
                        new Segment(second, new long[] {2}, 2, true)));
    }

    private static byte[] written(Layout layout) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelFile.write(bytes, layout, Arrays.copyOf(VALUES, layout.size()));
        return bytes.toByteArray();
    }

    private static float[] read(byte[] file, Layout layout) throws IOException {
        return ModelFile.read(new ByteArrayInputStream(file), layout);
    }

    private static String header(String shape) {
        return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    }

    /** A file with one array {@code a} of zeros. */
    private static byte[] entry(String header, int bytes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("a.npy"));
            zip.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
            zip.write(header.length());
            zip.write(0);
            zip.write(header.getBytes(StandardCharsets.US_ASCII));
            zip.write(new byte[bytes]);
        }
        return file.toByteArray();
    }
}
