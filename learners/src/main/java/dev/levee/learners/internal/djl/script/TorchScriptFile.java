package dev.levee.learners.internal.djl.script;

import dev.levee.connectors.data.Archive;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A TorchScript archive as bytes: a zip whose {@code code/} folder holds the modules' source.
 *
 * @param path the path from which it was read, for messages
 * @param bytes the archive
 */
public record TorchScriptFile(String path, byte[] bytes) {
    /**
     * Functions that may draw. Those of the last lines have a probability as an argument, and draw
     * nothing if it is 0. Dropout draws only in training, but a file may also call it with a flag
     * that is always true.
     */
    private static final Pattern RANDOM =
            Pattern.compile(
                    "dropout|\\brand|rrelu|bernoulli|binomial|multinomial|poisson|\\bnormal"
                            + "|log_normal_|cauchy_|geometric_|uniform_|exponential_\\b"
                            + "|\\b(lstm|gru|rnn_tanh|rnn_relu|scaled_dot_product\\w*)"
                            + "\\((?![^()]*, 0\\.,)");

    private static final Pattern TENSORS =
            Pattern.compile("__parameters__ = \\[([^\\]]*)\\](\\s*)__buffers__ = \\[([^\\]]*)\\]");

    /**
     * Reads a file from any file system that Flink supports.
     *
     * @throws IllegalArgumentException if the file is not a TorchScript archive, or would fill this
     *     JVM's memory; one sentence
     */
    public static TorchScriptFile read(String path) {
        TorchScriptFile file = new TorchScriptFile(path, content(path));
        try (Archive archive = file.open()) {
            file.checkMemory(file.bytes.length + archive.unpackedBytes());
            if (archive.entries().stream().noneMatch(TorchScriptFile::isSource)) {
                throw file.wrong(NotTorchScript.sentence(archive), null);
            }
        } catch (IOException e) {
            throw file.wrong(NotTorchScript.sentence(file.bytes, e), e);
        }
        return file;
    }

    private static byte[] content(String path) {
        TorchScriptFile file = new TorchScriptFile(path, new byte[0]);
        Path from = new Path(path);
        try {
            FileSystem files = from.getFileSystem();
            if (!files.exists(from)) {
                throw file.wrong("does not exist", null);
            }
            FileStatus status = files.getFileStatus(from);
            if (status.isDir()) {
                throw file.wrong("is a folder", null);
            }
            file.checkMemory(status.getLen());
            try (FSDataInputStream in = files.open(from)) {
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read model file " + path, e);
        }
    }

    /** True if the modules may draw from the engine's generator. */
    public boolean random() {
        try (Archive archive = open()) {
            for (ZipArchiveEntry entry : archive.entries()) {
                if (isSource(entry) && RANDOM.matcher(source(archive, entry)).find()) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    /**
     * The same modules with buffers declared as parameters. DJL gives access only to parameters, so
     * this is how running statistics get into the flat vector.
     */
    public TorchScriptFile withBuffersAsParameters() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        try (Archive archive = open();
                ZipOutputStream to = new ZipOutputStream(out)) {
            to.setMethod(ZipOutputStream.STORED);
            for (ZipArchiveEntry entry : archive.entries()) {
                // Skip positions in the source: they are only for error messages, and would now be
                // wrong.
                if (entry.getName().endsWith(".debug_pkl")) {
                    continue;
                }
                byte[] content =
                        isSource(entry)
                                ? TENSORS.matcher(source(archive, entry))
                                        .replaceAll("__parameters__ = [$1$3]$2__buffers__ = []")
                                        .getBytes(StandardCharsets.UTF_8)
                                : archive.read(entry);
                CRC32 sum = new CRC32();
                sum.update(content);
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setSize(content.length);
                copy.setCrc(sum.getValue());
                to.putNextEntry(copy);
                to.write(content);
            }
        } catch (IOException e) {
            throw damaged(e);
        }
        return new TorchScriptFile(path, out.toByteArray());
    }

    private Archive open() throws IOException {
        return Archive.open(bytes);
    }

    private static String source(Archive archive, ZipArchiveEntry entry) throws IOException {
        return new String(archive.read(entry), StandardCharsets.UTF_8);
    }

    private static boolean isSource(ZipArchiveEntry entry) {
        return entry.getName().contains("/code/") && entry.getName().endsWith(".py");
    }

    /** Checks that memory suffices for the original and the rewritten file, each in one array. */
    private void checkMemory(long bytes) {
        long most = Math.min(Runtime.getRuntime().maxMemory() / 2, Integer.MAX_VALUE - 8);
        if (bytes > most) {
            throw wrong(
                    ("takes %d MiB with its entries unpacked, more than the %d MiB allowed: "
                                    + "half of this JVM's heap (-Xmx, or the TaskManager's task heap), and at "
                                    + "most 2 GiB")
                            .formatted(bytes >> 20, most >> 20),
                    null);
        }
    }

    private IllegalArgumentException damaged(IOException e) {
        return wrong("is damaged: " + e.getMessage(), e);
    }

    private IllegalArgumentException wrong(String what, Exception cause) {
        return new IllegalArgumentException("model file:" + path + " " + what, cause);
    }
}
