package dev.levee.jobs.restore;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.pekko.Delivery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What stored metadata may name, in processes of their own: a JVM takes one filter factory. */
class RestoreFilterTest {
    @TempDir Path directory;
    private Path honest;
    private Path hostile;

    /** Stands for any class on the class path whose reading does something. */
    private static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            System.out.println("ran");
        }
    }

    /** Reads two metadata files when asked, as Flink does, then the gadget as anybody does. */
    static final class Reader {
        public static void main(String[] files) throws Exception {
            for (String file : files) {
                try (DataInputStream in =
                        new DataInputStream(Files.newInputStream(Path.of(file)))) {
                    ClassLoader loader = Reader.class.getClassLoader();
                    Delivery.of(() -> Checkpoints.loadCheckpointMetadata(in, loader, file));
                    System.out.println("read");
                } catch (InvalidClassException e) {
                    System.out.println("refused");
                } catch (ClassCastException e) {
                    System.out.println("too late");
                }
            }
            new ObjectInputStream(new ByteArrayInputStream(serialized(new Gadget()))).readObject();
        }
    }

    private static byte[] serialized(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    @BeforeEach
    void writeMetadata() throws IOException {
        CheckpointProperties properties =
                CheckpointProperties.forSavepoint(false, SavepointFormatType.CANONICAL);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Checkpoints.storeCheckpointMetadata(
                new CheckpointMetadata(7, List.of(), List.of(), properties), out);
        byte[] whole = out.toByteArray();
        byte[] tail = serialized(properties);
        assertThat(whole).endsWith(tail);
        honest = Files.write(directory.resolve("honest"), whole);
        byte[] gadget = serialized(new Gadget());
        int kept = whole.length - tail.length;
        hostile =
                Files.write(
                        directory.resolve("hostile"),
                        ByteBuffer.allocate(kept + gadget.length)
                                .put(whole, 0, kept)
                                .put(gadget)
                                .array());
    }

    private List<String> read(String... flags) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        Reader.class.getName(),
                        honest.toString(),
                        hostile.toString()));
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        return said.lines().toList();
    }

    @Test
    void storedMetadataNamesFlinksClassesAndNoOthers() throws Exception {
        assertThat(read()).containsExactly("read", "ran", "too late", "ran");
        String filter = "-Djdk.serialFilterFactory=" + RestoreFilter.class.getName();
        assertThat(read(filter)).containsExactly("read", "refused", "ran");
        assertThat(read(filter, "-D" + RestoreFilter.MORE + "=" + Gadget.class.getName()))
                .containsExactly("read", "ran", "too late", "ran");
    }
}
