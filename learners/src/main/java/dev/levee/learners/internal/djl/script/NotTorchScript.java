package dev.levee.learners.internal.djl.script;

import dev.levee.connectors.data.Archive;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Explains why a file is not a TorchScript file, and what the user should give instead. Each
 * sentence continues a message that starts with the file's name.
 */
final class NotTorchScript {
    private static final String EXPORT = "export the module with torch.jit.script(module).save(…)";
    private static final String LOAD = "load it into its module in Python and " + EXPORT;
    private static final String UNKNOWN = "is not a TorchScript file (torch.jit.save writes one)";

    private static final byte[] ZIP = {'P', 'K', 3, 4};

    /**
     * Protocol 2 and the beginning of the long integer with which torch.save started files until
     * PyTorch 1.5.
     */
    private static final byte[] LEGACY = {(byte) 0x80, 2, (byte) 0x8a, 10, 'l', (byte) 0xfc};

    private static final byte[] TAR = "ustar".getBytes(StandardCharsets.US_ASCII);
    private static final int TAR_OFFSET = 257;

    /** First byte of a pickle; its protocol follows. */
    private static final byte PICKLE = (byte) 0x80;

    private static final int NEWEST_PROTOCOL = 5;

    private NotTorchScript() {}

    /** The sentence for a file that is not a zip archive. */
    static String sentence(byte[] file, IOException why) {
        if (file.length == 0) {
            return "is empty";
        }
        if (startsWith(file, 0, ZIP)) {
            return "is cut short or damaged: " + why.getMessage();
        }
        if (startsWith(file, 0, LEGACY) || startsWith(file, TAR_OFFSET, TAR)) {
            return "is in the format of torch.save before torch 1.6, which only Python reads: %s"
                    .formatted(LOAD);
        }
        if (isPickle(file)) {
            return "is a Python pickle, which only Python reads: " + LOAD;
        }
        return UNKNOWN;
    }

    /** The sentence for a zip archive without TorchScript. */
    static String sentence(Archive archive) throws IOException {
        for (ZipArchiveEntry entry : archive.entries()) {
            String name = entry.getName();
            if (name.endsWith("/archive_format")) {
                return "is a torch.export program, which cannot be trained here: " + EXPORT;
            }
            if (name.endsWith(".npy")) {
                return "contains NumPy arrays instead of a module: " + LOAD;
            }
            if (name.endsWith("/data.pkl")) {
                return pickled(archive.read(entry));
            }
        }
        return UNKNOWN;
    }

    private static String pickled(byte[] pickle) {
        String type = type(pickle);
        return switch (type) {
            case "collections.OrderedDict" ->
                    "is a state_dict, the values of a module without its code: " + LOAD;
            case "dict" ->
                    "is a dictionary of torch.save, such as a checkpoint, without a module's code: %s"
                            .formatted(LOAD);
            case "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter" ->
                    "is a tensor of torch.save instead of a module: " + EXPORT;
            case "" -> "is a file of torch.save, which only Python reads: " + EXPORT;
            default -> "is a pickled " + type + ", which only Python reads: " + EXPORT;
        };
    }

    /** The class of a pickle's outermost object, empty if it has none. */
    private static String type(byte[] pickle) {
        if (pickle.length < 3 || !isPickle(pickle)) {
            return "";
        }
        if (pickle[2] == '}') {
            return "dict";
        }
        if (pickle[2] != 'c') {
            return "";
        }
        String[] lines =
                new String(pickle, 3, Math.min(pickle.length - 3, 200), StandardCharsets.UTF_8)
                        .split("\n", 3);
        return lines.length < 3 ? "" : lines[0] + "." + lines[1];
    }

    private static boolean isPickle(byte[] file) {
        return file.length > 1 && file[0] == PICKLE && file[1] > 0 && file[1] <= NEWEST_PROTOCOL;
    }

    private static boolean startsWith(byte[] file, int offset, byte[] start) {
        int end = offset + start.length;
        return file.length >= end && Arrays.equals(file, offset, end, start, 0, start.length);
    }
}
