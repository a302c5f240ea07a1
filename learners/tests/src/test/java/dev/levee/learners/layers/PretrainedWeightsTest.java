package dev.levee.learners.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.ModelFile;
import dev.levee.learners.Segment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

class PretrainedWeightsTest {
    private static final LayeredNetwork NETWORK =
            LayeredNetwork.open("densenet121", new int[] {3, 32, 32}, 10);
    private static final float[] VALUES = NETWORK.initialParameters(4);

    @TempDir Path folder;

    /** A safetensors file of a network's tensors, under names that may be others. */
    private static byte[] safetensors(
            LayeredNetwork network, float[] values, UnaryOperator<String> rename)
            throws IOException {
        StringJoiner header = new StringJoiner(",", "{\"__metadata__\":{\"format\":\"pt\"},", "}");
        for (Segment segment : network.layout().segments()) {
            long from = (long) segment.offset() * Float.BYTES;
            header.add(
                    "\"%s\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                            .formatted(
                                    rename.apply(segment.name()),
                                    Arrays.toString(segment.shape()),
                                    from,
                                    from + (long) segment.length() * Float.BYTES));
        }
        ByteBuffer data =
                ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(values);
        return file(header.toString(), data.array());
    }

    private static byte[] file(String header, byte[] data) throws IOException {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(text.length)
                        .array());
        out.write(text);
        out.write(data);
        return out.toByteArray();
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(folder.resolve("weights"), content);
    }

    @Test
    void readsSafetensors() throws IOException {
        Path file = write(safetensors(NETWORK, VALUES, name -> name));

        PretrainedWeights weights = PretrainedWeights.read(file, NETWORK, 1);

        assertThat(weights.values()).isEqualTo(VALUES);
        assertThat(weights.fresh()).isEmpty();
    }

    @Test
    void readsNpz() {
        Path file = folder.resolve("weights.npz");
        ModelFile.write(file, NETWORK.layout(), VALUES);

        assertThat(PretrainedWeights.read(file, NETWORK, 1).values()).isEqualTo(VALUES);
    }

    @Test
    void knowsTheNamesOfOlderDenseNets() throws IOException {
        Path file =
                write(
                        safetensors(
                                NETWORK,
                                VALUES,
                                name ->
                                        name.replaceFirst(
                                                "(denselayer\\d+\\.)(norm|conv)([12])",
                                                "$1$2.$3")));

        assertThat(PretrainedWeights.read(file, NETWORK, 1).values()).isEqualTo(VALUES);
    }

    @Test
    void startsTheLastLayerAfreshForOtherClasses() throws IOException {
        Path file = write(safetensors(NETWORK, VALUES, name -> name));
        LayeredNetwork other = LayeredNetwork.open("densenet121", new int[] {3, 32, 32}, 7);

        PretrainedWeights weights = PretrainedWeights.read(file, other, 1);

        assertThat(weights.fresh()).containsExactly("classifier.weight", "classifier.bias");
        assertThat(other.prefix(20).parameters(weights.values()))
                .isEqualTo(NETWORK.prefix(20).parameters(VALUES));
        assertThat(other.suffix(20).parameters(weights.values()))
                .isEqualTo(other.suffix(20).parameters(other.initialParameters(1)));
    }

    @Test
    void readsHalvesAndDoubles() throws IOException {
        LayeredNetwork network = LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 10);
        float[] values = network.initialParameters(4);
        byte[] content = safetensors(network, values, name -> name);
        // The bias of the first layer, 64 zeros of 4 bytes, as as many of 2: 1, -0.5, 0, …
        String header =
                new String(
                        content,
                        8,
                        (int) ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong(),
                        StandardCharsets.UTF_8);
        Segment bias = network.layout().segments().get(1);
        int from = bias.offset() * Float.BYTES;
        byte[] data = Arrays.copyOfRange(content, 8 + header.length(), content.length);
        for (String type : new String[] {"F16", "BF16"}) {
            String halved =
                    header.replace(
                            "\"%s\":{\"dtype\":\"F32\",\"shape\":[64],\"data_offsets\":[%d,%d]}"
                                    .formatted(bias.name(), from, from + 256),
                            "\"%s\":{\"dtype\":\"%s\",\"shape\":[64],\"data_offsets\":[%d,%d]}"
                                    .formatted(bias.name(), type, from, from + 128));
            assertThat(halved).isNotEqualTo(header);
            ByteBuffer.wrap(data)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putShort(from, (short) (type.equals("F16") ? 0x3C00 : 0x3F80))
                    .putShort(from + 2, (short) (type.equals("F16") ? 0xB800 : 0xBF00));

            float[] read = PretrainedWeights.read(write(file(halved, data)), network, 1).values();

            assertThat(Arrays.copyOfRange(read, bias.offset(), bias.offset() + 3))
                    .containsExactly(1, -0.5f, 0);
        }
    }

    @Test
    void listsWhatIsMissingAndWhatIsUnexpected() throws IOException {
        Path file =
                write(
                        safetensors(
                                NETWORK,
                                VALUES,
                                name -> name.replace("features.conv0", "stem.conv")));

        assertThatThrownBy(() -> PretrainedWeights.read(file, NETWORK, 1))
                .hasMessage(
                        "weights "
                                + file
                                + ": they are not those of densenet121: missing"
                                + " features.conv0.weight; unexpected stem.conv.weight");
        LayeredNetwork other = LayeredNetwork.open("resnet18", new int[] {3, 32, 32}, 10);
        assertThatThrownBy(() -> PretrainedWeights.read(file, other, 1))
                .hasMessageContaining("they are not those of resnet18: missing conv1.weight, ")
                .hasMessageContaining(" more; unexpected stem.conv.weight, ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "perceptron.pt | it is a TorchScript file, which runs only as a whole: its layers cannot be separated",
                "state-dict.pt | it is a pickle of torch.save, which only Python can read; write the",
                "legacy.pt | it is a pickle of torch.save",
                "module.pt | it is a pickle of torch.save",
                "make_files.py | it is neither a safetensors nor an npz file",
                "nothing | there is no such file",
            })
    void refusesOtherFilesAndSaysWhatToWrite(String name, String sentence) {
        Path file = Path.of("src/test/resources/torch", name);

        assertThatThrownBy(() -> PretrainedWeights.read(file, NETWORK, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("weights " + file + ": " + sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}} | tensor a lies"
                        + " beyond the end of the file",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[9000000000,9000000000],\"data_offsets\":[0,8]}}"
                        + " | tensor a claims more values than it has bytes",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]}} | tensor a has 8"
                        + " bytes, but its shape says 4",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,8]}} | tensor a has a"
                        + " number below 0",
                "{\"a\":{\"dtype\":\"F32\"}} | tensor a lacks dtype, shape or data_offsets",
                "{\"a\":7} | a is not an object",
                "{\"a\": | its header is not JSON:",
            })
    void doesNotBelieveAHeader(String header, String sentence) throws IOException {
        Path file = write(file(header, new byte[8]));

        assertThatThrownBy(() -> PretrainedWeights.read(file, NETWORK, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("weights " + file + ": " + sentence);
    }
}
