package dev.levee.connectors.kafka.worker;

import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.participant.WorkerState;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;

/**
 * The state file of a worker: its state and its last answer. After a failure, the worker continues
 * exactly and resends this answer. The file is replaced atomically.
 */
final class WorkerFile {
    /**
     * The content of the file.
     *
     * @param state the worker's state after the answer
     */
    record Saved(int worker, Answer answer, WorkerState state) {}

    private static final int MAGIC = 0x4C565753; // LVWS
    private static final int LAYOUT = 3;

    private final Path path;
    private final int worker;

    WorkerFile(Path path, int worker) {
        this.path = path.toAbsolutePath();
        this.worker = worker;
    }

    /**
     * Reads the last saved content, empty if there is none.
     *
     * @throws IllegalArgumentException if the file cannot be read, is not a state file, or belongs
     *     to another worker; one sentence
     */
    Optional<Saved> read() {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalArgumentException("--state " + path + " cannot be read: " + e, e);
        }
        Saved saved;
        try {
            saved = read(bytes);
        } catch (IOException | NegativeArraySizeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--state " + path + " is not the state of a worker", e);
        }
        if (saved.worker() != worker) {
            throw new IllegalArgumentException(
                    "--state %s belongs to worker w%d, not to --id w%d"
                            .formatted(path, saved.worker(), worker));
        }
        return Optional.of(saved);
    }

    private static Saved read(byte[] bytes) throws IOException {
        int content = bytes.length - Long.BYTES;
        if (content < 0) {
            throw new IOException("too short");
        }
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, content);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.skipNBytes(content);
            boolean intact = in.readLong() == sum.getValue();
            in.reset();
            if (!intact || in.readInt() != MAGIC || in.readInt() != LAYOUT) {
                throw new IOException("something else");
            }
            int worker = in.readInt();
            WorkerState state = Codecs.WORKER.readState(in, in.readInt());
            long run = in.readLong();
            double loss = in.readDouble();
            int count = in.readInt();
            List<byte[]> frames = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                frames.add(in.readNBytes(in.readInt()));
            }
            return new Saved(worker, new Answer(run, state.answered(), loss, frames), state);
        }
    }

    /**
     * Saves an answer and the state after it. Both are on disk when this returns.
     *
     * @throws UncheckedIOException if saving fails; the previous content is then kept
     */
    void write(Answer answer, WorkerState state) {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        try {
            Files.createDirectories(path.getParent());
            try (FileChannel file =
                    FileChannel.open(
                            fresh,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING)) {
                write(Channels.newOutputStream(file), answer, state);
                file.force(true);
            }
            Files.move(
                    fresh,
                    path,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("--state " + path + " cannot be written: " + e, e);
        }
    }

    private void write(OutputStream file, Answer answer, WorkerState state) throws IOException {
        CheckedOutputStream summed = new CheckedOutputStream(file, new CRC32());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(summed));
        out.writeInt(MAGIC);
        out.writeInt(LAYOUT);
        out.writeInt(worker);
        out.writeInt(Codecs.WORKER.version());
        Codecs.WORKER.writeState(state, out);
        out.writeLong(answer.run());
        out.writeDouble(answer.loss());
        out.writeInt(answer.frames().size());
        for (byte[] frame : answer.frames()) {
            out.writeInt(frame.length);
            out.write(frame);
        }
        out.flush();
        out.writeLong(summed.getChecksum().getValue());
        out.flush();
    }
}
