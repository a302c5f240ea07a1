package dev.levee.connectors.kafka.worker;

import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.crypto.Digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/**
 * The seed of all random numbers that a device draws in secure sums. If it is kept in a file beside
 * the state file, a device that was killed continues its sum after a restart. Otherwise it has
 * other keys after a restart, and leaves the sum.
 */
final class SumSecret {
    private static final int LENGTH = 32;

    private final byte[] secret;

    private SumSecret(byte[] secret) {
        this.secret = secret;
    }

    /**
     * Reads the secret beside the state file, or creates it.
     *
     * @param state the device's state file, null if it has none
     * @throws IllegalArgumentException if the file cannot be read or written; one sentence
     */
    static SumSecret of(Path state) {
        byte[] random = new byte[LENGTH];
        new SecureRandom().nextBytes(random);
        if (state == null) {
            return new SumSecret(random);
        }
        Path path = state.toAbsolutePath().resolveSibling(state.getFileName() + ".secret");
        try {
            byte[] known = Files.readAllBytes(path);
            if (known.length != LENGTH) {
                throw new IllegalArgumentException(
                        "%s next to --state is not a device's secret".formatted(path));
            }
            return new SumSecret(known);
        } catch (NoSuchFileException e) {
            write(path, random);
            return new SumSecret(random);
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + e, e);
        }
    }

    private static void write(Path path, byte[] bytes) {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        try {
            Files.createDirectories(path.getParent());
            Files.deleteIfExists(fresh);
            boolean posix =
                    FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
            FileAttribute<?>[] own =
                    posix
                            ? new FileAttribute<?>[] {
                                PosixFilePermissions.asFileAttribute(
                                        PosixFilePermissions.fromString("rw-------"))
                            }
                            : new FileAttribute<?>[0];
            Files.createFile(fresh, own);
            try (FileChannel file = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(bytes));
                file.force(true);
            }
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be written: " + e, e);
        }
    }

    /** The seed of one device in one sum, 32 bytes. */
    byte[] of(SumTask task, int device) {
        return new Digest("secret of a device")
                .with(secret)
                .with(task.run())
                .with(task.round())
                .with(device)
                .bytes();
    }
}
