package dev.levee.learners.internal.python;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Reads a user's Python file from any file system that Flink supports. */
final class PythonSource {
    private static final long MOST_BYTES = 1 << 20;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final Pattern DATA = Pattern.compile("^def data\\s*\\(", Pattern.MULTILINE);

    private PythonSource() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if there is no such file, or it is not a Python file; one
     *     sentence
     */
    static String read(String path) {
        Path from = new Path(path);
        try {
            FileSystem files = from.getFileSystem();
            if (!files.exists(from)) {
                throw new IllegalArgumentException("model file " + path + " does not exist");
            }
            if (files.getFileStatus(from).isDir()) {
                throw new IllegalArgumentException("model file " + path + " is a folder");
            }
            if (files.getFileStatus(from).getLen() > MOST_BYTES) {
                throw new IllegalArgumentException(
                        "model file %s is not Python source: it has more than %d bytes"
                                .formatted(path, MOST_BYTES));
            }
            try (FSDataInputStream in = files.open(from)) {
                return decoded(in.readAllBytes());
            }
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "model file " + path + " is not encoded in UTF-8: save it in that encoding", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read model file " + path, e);
        }
    }

    /** The text of UTF-8, without the byte order mark that editors on Windows write. */
    private static String decoded(byte[] bytes) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** True if the file exists and has a line that starts with {@code def data(}. */
    static boolean definesData(String path) {
        try {
            return !path.isEmpty() && DATA.matcher(read(path)).find();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return false; // opening the model reports this
        }
    }
}
