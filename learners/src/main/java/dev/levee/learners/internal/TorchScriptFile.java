package dev.levee.learners.internal;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A TorchScript archive as bytes: a zip whose {@code code/} folder holds the modules' source.
 *
 * @param bytes the archive
 */
public record TorchScriptFile(byte[] bytes) {
    private static final Pattern RANDOM =
            Pattern.compile("dropout|rand|bernoulli|multinomial|\\bnormal|uniform_|exponential_");
    private static final Pattern TENSORS =
            Pattern.compile("__parameters__ = \\[([^\\]]*)\\](\\s*)__buffers__ = \\[([^\\]]*)\\]");

    /**
     * Reads a file from any file system that Flink knows.
     *
     * @throws IllegalArgumentException if there is no TorchScript archive
     */
    public static TorchScriptFile read(String path) {
        Path file = new Path(path);
        byte[] bytes;
        try {
            FileSystem files = file.getFileSystem();
            if (!files.exists(file)) {
                throw new IllegalArgumentException("model file:" + path + " does not exist");
            }
            try (FSDataInputStream in = files.open(file)) {
                bytes = in.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read model file " + path, e);
        }
        TorchScriptFile script = new TorchScriptFile(bytes);
        if (script.source().isEmpty()) {
            throw new IllegalArgumentException(
                    "model file:"
                            + path
                            + " is not a TorchScript file (torch.jit.save writes one)");
        }
        return script;
    }

    /** True if the modules may draw from the engine's generator. */
    public boolean random() {
        return RANDOM.matcher(source()).find();
    }

    /**
     * The same modules with buffers declared as parameters: DJL reaches parameters and nothing
     * else, so that is how running statistics get into the flat vector.
     */
    public TorchScriptFile withBuffersAsParameters() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        try (ZipInputStream from = open();
                ZipOutputStream to = new ZipOutputStream(out)) {
            to.setMethod(ZipOutputStream.STORED);
            for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
                // Positions in the source, for error messages only; they would be wrong now.
                if (entry.getName().endsWith(".debug_pkl")) {
                    continue;
                }
                byte[] content = from.readAllBytes();
                if (isSource(entry)) {
                    String source = new String(content, StandardCharsets.UTF_8);
                    content =
                            TENSORS.matcher(source)
                                    .replaceAll("__parameters__ = [$1$3]$2__buffers__ = []")
                                    .getBytes(StandardCharsets.UTF_8);
                }
                CRC32 sum = new CRC32();
                sum.update(content);
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setSize(content.length);
                copy.setCrc(sum.getValue());
                to.putNextEntry(copy);
                to.write(content);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("damaged TorchScript file", e);
        }
        return new TorchScriptFile(out.toByteArray());
    }

    private String source() {
        StringBuilder source = new StringBuilder();
        try (ZipInputStream zip = open()) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (isSource(entry)) {
                    source.append(new String(zip.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("damaged TorchScript file", e);
        }
        return source.toString();
    }

    private ZipInputStream open() {
        return new ZipInputStream(new ByteArrayInputStream(bytes));
    }

    private static boolean isSource(ZipEntry entry) {
        return entry.getName().contains("/code/") && entry.getName().endsWith(".py");
    }
}
