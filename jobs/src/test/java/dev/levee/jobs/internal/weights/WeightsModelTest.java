package dev.levee.jobs.internal.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.levee.connectors.data.NumpyArray;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Segment;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of weights; those ending in npz were written by NumPy 1.24. */
class WeightsModelTest {
    @TempDir Path directory;

    private static String resource(String name) {
        return Path.of("src/test/resources/weights", name).toAbsolutePath().toString();
    }

    private String safetensors(String header, float... values) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes =
                ByteBuffer.allocate(8 + json.length + 4 * values.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length).put(json).asFloatBuffer().put(values);
        return Files.write(directory.resolve("w.safetensors"), bytes.array()).toString();
    }

    @Test
    void whatNumpySavedIsTakenInItsOrderBuffersLast() {
        WeightsModel model = WeightsModel.open(resource("numpy.npz"));
        assertThat(model.layout().segments())
                .extracting(Segment::name, Segment::shape, Segment::offset, Segment::trainable)
                .containsExactly(
                        tuple("0.weight", new long[] {2, 3}, 0, true),
                        tuple("2.bias", new long[] {2}, 6, true),
                        tuple("1.running_mean", new long[] {2}, 8, false));
        assertThat(model.initialParameters(5)).containsExactly(0, 1, 2, 3, 4, 5, 8, 9, 7, 7);
        Evaluation nothing = model.newLearner().evaluate(model.initialParameters(1), null);
        assertThat(nothing.accuracy()).isNaN();
    }

    @Test
    void safetensorsAreTakenInTheOrderOfTheirValues() throws IOException {
        String path =
                safetensors(
                        """
                        {"__metadata__": {"format": "pt"},
                         "b": {"dtype": "F32", "shape": [2], "data_offsets": [12, 20]},
                         "n": {"dtype": "I64", "shape": [], "data_offsets": [20, 28]},
                         "a": {"dtype": "F32", "shape": [3, 1], "data_offsets": [0, 12]}}                        """,
                        1,
                        2,
                        3,
                        4,
                        5,
                        0,
                        0);
        WeightsModel model = WeightsModel.open(path);
        assertThat(model.layout().segments()).extracting(Segment::name).containsExactly("a", "b");
        assertThat(model.initialParameters(0)).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": {\"dtype\": \"F16\", \"shape\": [1], \"data_offsets\": [0, 2]}} |"
                        + " array a is of type F16: save it as float32",
                "{\"a\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 4]}} |"
                        + " tensor a has bytes 0 to 4, which do not fit its shape or the file",
                "{\"a\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [4, 8]}} |"
                        + " tensor a has bytes 4 to 8, which do not fit its shape or the file",
                "{\"a\": {\"dtype\": \"F32\", \"shape\": [999999999], \"data_offsets\": [0, 4]}} |"
                        + " it is shorter than its tensors say",
                "{\"a\": {\"dtype\": \"F32\", \"data_offsets\": [0]}} | tensor a has bytes 0 to"
                        + " -1, which do not fit its shape or the file",
                "{\"a\": | its header is not JSON",
                "{} | it has no float32 array to train",
            })
    void whatDoesNotFitIsSaidInASentence(String header, String sentence) throws IOException {
        String path = safetensors(header, 1);
        assertThatThrownBy(() -> WeightsModel.open(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(path + ": " + sentence);
    }

    @Test
    void filesOfOtherKindsAreNamed() throws IOException {
        assertThatThrownBy(() -> WeightsModel.open(resource("double.npz")))
                .hasMessageEndingWith("double.npz: array w is of type <f8: save it as float32");
        assertThatThrownBy(() -> WeightsModel.open(directory + "/none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(directory + "/none does not exist");
        Path text = Files.writeString(directory.resolve("notes"), "nothing of the kind");
        assertThatThrownBy(() -> WeightsModel.open(text.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(text + " is neither what numpy.savez writes nor safetensors");
    }

    @Test
    void aFileThatClaimsMoreThanTheHeapHasIsRefusedBeforeItIsRead() throws IOException {
        Path sparse = directory.resolve("large.safetensors");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertThatThrownBy(() -> WeightsModel.open(sparse.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sparse + ": it takes 1048576 MiB, more than the ");
        Path bomb = directory.resolve("bomb.npz");
        Files.write(bomb, bombOfZeros((1 << 30) - 100));
        assertThatThrownBy(() -> WeightsModel.open(bomb.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(bomb + ": it takes 4095 MiB, more than the ");
    }

    /** A zip of some hundred bytes whose directory claims an array of so many float32. */
    private static byte[] bombOfZeros(int values) throws IOException {
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        NumpyArray.write(array, new long[] {values}, List.of(FloatBuffer.allocate(1)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(out)) {
            ZipArchiveEntry entry = new ZipArchiveEntry("a.npy");
            zip.putArchiveEntry(entry);
            zip.write(array.toByteArray());
            zip.closeArchiveEntry();
            // The directory is written last, with what the entry says then.
            entry.setSize(4L * values + 128);
        }
        return out.toByteArray();
    }
}
