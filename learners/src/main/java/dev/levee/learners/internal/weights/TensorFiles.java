package dev.levee.learners.internal.weights;

import dev.levee.connectors.data.Archive;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens files of tensors; their first bytes determine the format. */
public final class TensorFiles {
    private static final String INSTEAD =
            "; write the state_dict with safetensors.torch.save_file or numpy.savez";

    private static final int BEGINNING = 9;

    /** The first byte of a pickle, an operation that names the protocol. */
    private static final byte PICKLE = (byte) 0x80;

    private TensorFiles() {}

    /**
     * Opens a safetensors or npz file.
     *
     * @throws IllegalArgumentException if the file has another format; half a sentence that names
     *     the format and what to write instead
     */
    public static TensorFile open(Path file) throws IOException {
        byte[] start;
        try (var in = Files.newInputStream(file)) {
            start = in.readNBytes(BEGINNING);
        }
        SeekableByteChannel channel = Files.newByteChannel(file);
        boolean opened = false;
        try {
            TensorFile tensors = open(channel, start);
            opened = true;
            return tensors;
        } finally {
            if (!opened) {
                channel.close();
            }
        }
    }

    private static TensorFile open(SeekableByteChannel channel, byte[] start) throws IOException {
        if (start.length == BEGINNING && start[BEGINNING - 1] == '{') {
            return SafetensorsFile.open(channel);
        }
        if (start.length > 1 && start[0] == 'P' && start[1] == 'K') {
            Archive archive = Archive.open(channel);
            List<String> names = archive.entries().stream().map(ZipArchiveEntry::getName).toList();
            if (names.stream().anyMatch(name -> name.endsWith(".npy"))) {
                return new NpzTensors(archive);
            }
            throw new IllegalArgumentException(refusal(names));
        }
        if (start.length > 0 && start[0] == PICKLE) {
            throw new IllegalArgumentException(
                    "it is a pickle of torch.save, which only Python can read" + INSTEAD);
        }
        throw new IllegalArgumentException("it is neither a safetensors nor an npz file" + INSTEAD);
    }

    private static String refusal(List<String> names) {
        if (names.stream().anyMatch(name -> name.endsWith("/constants.pkl"))) {
            return "it is a TorchScript file, which runs only as a whole: its layers cannot "
                    + "be separated, so the network cannot be split"
                    + INSTEAD;
        }
        if (names.stream().anyMatch(name -> name.endsWith("/data.pkl"))) {
            return "it is a pickle of torch.save, which only Python can read" + INSTEAD;
        }
        return "it is a zip without arrays" + INSTEAD;
    }
}
