package dev.levee.learners.internal.djl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;

import dev.levee.connectors.data.Archive;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** What files are read and how others are refused; {@code torch/make_files.py} made most. */
class TorchScriptFileTest {
    private static final Path FILES = Path.of("src/test/resources/torch").toAbsolutePath();
    private static final String UNKNOWN = "is not a TorchScript file (torch.jit.save writes one)";

    @TempDir Path folder;

    @Test
    void rewritesBuffersAndNothingElse() throws IOException {
        TorchScriptFile file = TorchScriptFile.read(FILES.resolve("convolution.pt").toString());
        TorchScriptFile rewritten = file.withBuffersAsParameters();
        try (Archive before = Archive.open(file.bytes());
                Archive after = Archive.open(rewritten.bytes())) {
            for (ZipArchiveEntry entry : after.entries()) {
                byte[] content = after.read(entry);
                String name = entry.getName();
                ZipArchiveEntry old =
                        before.entries().stream()
                                .filter(e -> e.getName().equals(name))
                                .findFirst()
                                .orElseThrow();
                if (name.contains("batchnorm")) {
                    assertThat(new String(content, StandardCharsets.UTF_8))
                            .contains(
                                    "__parameters__ = [\"weight\", \"bias\", \"running_mean\","
                                            + " \"running_var\", \"num_batches_tracked\", ]\n")
                            .contains("__buffers__ = []\n");
                } else {
                    assertThat(content).as(name).isEqualTo(before.read(old));
                }
            }
            assertThat(after.entries().size()).isEqualTo(before.entries().size() - 9);
        }
        assertThat(file.random()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    state-dict.pt | is a state_dict, the values of a module without its code: load it into its module in Python and export the module with torch.jit.script(module).save(…)
                    checkpoint.pt | is a dictionary of torch.save, such as a checkpoint, without a module's code: load it into its module in Python and export the module with torch.jit.script(module).save(…)
                    module.pt     | is a pickled torch.nn.modules.linear.Linear, which only Python reads: export the module with torch.jit.script(module).save(…)
                    tensor.pt     | is a tensor of torch.save instead of a module: export the module with torch.jit.script(module).save(…)
                    exported.pt2  | is a torch.export program, which cannot be trained here: export the module with torch.jit.script(module).save(…)
                    legacy.pt     | is in the format of torch.save before torch 1.6, which only Python reads: load it into its module in Python and export the module with torch.jit.script(module).save(…)
                    arrays.npz    | contains NumPy arrays instead of a module: load it into its module in Python and export the module with torch.jit.script(module).save(…)
                    """)
    void saysWhatOtherFilesAre(String name, String sentence) {
        Path file = FILES.resolve(name);
        assertRefused(file, "model file:" + file + " " + sentence);
    }

    @Test
    void saysWhatIsNoFileOfTorch() throws IOException {
        Path tar = write("old.tar", Arrays.copyOf(new byte[257], 512));
        assertRefused(tar, "model file:" + tar + " " + UNKNOWN);
        byte[] header = Files.readAllBytes(tar);
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, header, 257, 5);
        assertRefused(write("old.tar", header), "before torch 1.6, which only Python reads");
        Path pickle = write("object.pkl", new byte[] {(byte) 0x80, 4, (byte) 0x95, 0});
        assertRefused(pickle, "is a Python pickle, which only Python reads: load it");
        Path zip = write("some.zip", zip("a/readme.txt", new byte[3]));
        assertRefused(zip, "model file:" + zip + " " + UNKNOWN);
        Path empty = write("empty.pt", new byte[0]);
        assertRefused(empty, "model file:" + empty + " is empty");
        assertRefused(folder, "model file:" + folder + " is a folder");
    }

    @Test
    void truncatedFilesAreCutShort() throws IOException {
        byte[] whole = Files.readAllBytes(FILES.resolve("perceptron.pt"));
        for (int length : new int[] {5, 1000, whole.length / 2, whole.length - 1}) {
            Path cut = write("cut.pt", Arrays.copyOf(whole, length));
            assertRefused(
                    cut,
                    "model file:"
                            + cut
                            + " is cut short or damaged: its central directory cannot be read");
        }
    }

    @Test
    void damagedTensorsAreNoticed() throws IOException {
        byte[] bytes = Files.readAllBytes(FILES.resolve("perceptron.pt"));
        bytes[5000] ^= 1;
        Path damaged = write("damaged.pt", bytes);
        TorchScriptFile file = TorchScriptFile.read(damaged.toString());
        assertThatIllegalArgumentException()
                .isThrownBy(file::withBuffersAsParameters)
                .withMessageStartingWith(
                        "model file:"
                                + damaged
                                + " is damaged: its entry perceptron/data/0 cannot be unpacked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    torch.dropout(x, 0.5, True)                                         | true
                    torch.lstm(x, [h, c], _weights, True, 2, 0.5, training, False)      | true
                    torch.gru(x, h, _weights, True, 2, 0.5, True, False, True)          | true
                    torch.rnn_tanh(x, (h)[0], _weights, True, 2, 0.5, True, False)      | true
                    torch.scaled_dot_product_attention(q, k, v, None, 0.1, False)       | true
                    torch.randn_like(x)                                                 | true
                    torch.random_(x)                                                    | true
                    torch.exponential_(x)                                               | true
                    torch.lstm(x, [h, c], _weights, True, 1, 0., training, False, True) | false
                    torch.scaled_dot_product_attention(q, k, v, None, 0., False)        | false
                    torch.lstm_cell(x, [h, c], w, r)                                    | false
                    torch.div(operand, float(exponential_average_factor))               | false
                    """)
    void knowsWhoMayDraw(String call, boolean draws) throws IOException {
        byte[] code = call.getBytes(StandardCharsets.US_ASCII);
        Path file = write("net.pt", zip("net/code/__torch__.py", code));
        assertThat(TorchScriptFile.read(file.toString()).random()).isEqualTo(draws);
    }

    /** Nothing is allocated for what an entry claims before it is checked. */
    @Test
    void sizesAreCheckedBeforeTheyAreBelieved() throws IOException {
        byte[] bomb = zip("net/code/__torch__.py", new byte[4 << 20]);
        assertThat(bomb.length).isLessThan(8 << 10);
        TorchScriptFile.read(write("zeros.pt", bomb).toString());

        Path claims = write("claims.pt", claiming(bomb, 0xFFFF_FFF0L));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertRefused(claims, "model file:" + claims + " takes 4096 MiB with its entries unpacked");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);

        Path lies = write("lies.pt", claiming(bomb, 10));
        before = threads.getCurrentThreadAllocatedBytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TorchScriptFile.read(lies.toString()).random())
                .withMessageStartingWith(
                        "model file:"
                                + lies
                                + " is damaged: its entry net/code/__torch__.py cannot be unpacked");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    @Test
    void damagedFilesNeverDoWorseThanFail() throws IOException {
        byte[] file = Files.readAllBytes(FILES.resolve("state-dict.pt"));
        byte[] script = Files.readAllBytes(FILES.resolve("convolution.pt"));
        Path path = folder.resolve("fuzz.pt");
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = (seed % 2 == 0 ? file : script).clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                // Half of the damage is done near the end, where the central directory is.
                int reach = random.nextBoolean() ? damaged.length : damaged.length / 8;
                damaged[damaged.length - 1 - random.nextInt(reach)] = (byte) random.nextInt();
            }
            Files.write(path, damaged);
            try {
                TorchScriptFile.read(path.toString()).withBuffersAsParameters();
            } catch (IllegalArgumentException e) {
                assertThat(e).as("seed %d", seed).hasMessageStartingWith("model file:" + path);
            }
        }
    }

    private static void assertRefused(Path file, String start) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TorchScriptFile.read(file.toString()))
                .satisfies(e -> assertThat(e.getMessage()).contains(start).doesNotContain("\n"));
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static byte[] zip(String name, byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
        }
        return bytes.toByteArray();
    }

    /** The same zip, whose central directory says another size of its only entry. */
    private static byte[] claiming(byte[] zip, long size) {
        ByteBuffer bytes = ByteBuffer.wrap(zip.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int directory = bytes.getInt(zip.length - 6);
        assertThat(bytes.getInt(directory)).isEqualTo(0x02014b50);
        bytes.putInt(directory + 24, (int) size);
        return bytes.array();
    }
}
