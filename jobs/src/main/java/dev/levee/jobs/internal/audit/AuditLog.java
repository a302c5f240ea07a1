package dev.levee.jobs.internal.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.training.RoundLog;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.ServerResult;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Writes {@code audit.jsonl} during a run. The log has one line for the start of the run, for each
 * round of each server, for each restart, and for the end. Each line carries the digest of the
 * previous line and a signature ({@link AuditLine}). If a kill cut off the last line, the next
 * start removes it. If a round is repeated after a failure, it is logged again after a line that
 * records the restart. So the log has neither forks nor gaps.
 */
public final class AuditLog implements RoundLog {
    /** The name of the log in the folder of a run. */
    public static final String FILE = "audit.jsonl";

    static final String RUN = "run";
    static final String ROUND = "round";
    static final String RESUMED = "resumed";
    static final String ENDED = "end";

    private final Path file;
    private final FileChannel channel;
    private final AuditKey key;
    private final Map<String, Object> about;
    private final int dimension;
    private final long cut;
    private AuditLine last;

    private AuditLog(
            Path file,
            FileChannel channel,
            AuditKey key,
            Map<String, Object> about,
            int dimension,
            AuditLine last,
            long cut) {
        this.file = file;
        this.channel = channel;
        this.key = key;
        this.about = about;
        this.dimension = dimension;
        this.last = last;
        this.cut = cut;
    }

    /**
     * Opens a log, and appends to it if it exists.
     *
     * @param kept the key from a checkpoint, for a log that exists; null if there is none
     * @param given the key of a new log
     * @param about the facts about the run in its first line
     * @param dimension length of a model, without the values that an algorithm appends to it
     * @throws RunFailedException if another key has signed the log, or another job is writing it;
     *     one sentence
     */
    public static AuditLog open(
            Path file, byte[] kept, AuditKey given, Map<String, Object> about, int dimension)
            throws IOException {
        Files.createDirectories(file.getParent());
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            lock(file, channel);
            Tail tail = Tail.of(channel);
            channel.truncate(tail.whole());
            channel.position(tail.whole());
            AuditLine last = tail.line() == null ? null : AuditLine.parse(tail.line());
            boolean begun = last != null && !last.signedBy(given.open());
            AuditKey key = begun && kept != null ? AuditKey.decoded(kept) : given;
            if (begun && !last.signedBy(key.open())) {
                throw new RunFailedException(
                        "%s does not end with a line that the key of this run has signed: move it"
                                        .formatted(file)
                                + " away, or run without --audit");
            }
            return new AuditLog(file, channel, key, about, dimension, last, tail.cut());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The log in the folder of a run. */
    public static Path in(URI folder) {
        return Path.of(folder).resolve(FILE);
    }

    /** Returns a sentence that names the log and its key, for the start of a run. */
    public static String words(URI folder, AuditKey given) throws IOException {
        Path file = in(folder);
        Optional<VerifyingKey> begun =
                Files.exists(file) ? AuditCheck.head(file) : Optional.empty();
        return "Log of rounds: %s, key %s"
                .formatted(file, begun.orElse(given.open()).fingerprint());
    }

    private static void lock(Path file, FileChannel channel) throws IOException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false; // another job of this process holds it
        }
        if (!locked) {
            throw new IOException(file + " is being written by another job");
        }
    }

    /**
     * The end of a log file.
     *
     * @param whole bytes of all complete lines
     * @param line the last complete line, without its line end; null if there is none
     * @param cut bytes after the last complete line
     */
    private record Tail(long whole, String line, long cut) {
        private static final int WINDOW = 1 << 16;

        static Tail of(FileChannel channel) throws IOException {
            long size = channel.size();
            for (long window = Math.min(WINDOW, size); ; window = Math.min(8 * window, size)) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(window));
                while (bytes.hasRemaining()
                        && channel.read(bytes, size - window + bytes.position()) >= 0) {
                    continue; // until the window is full
                }
                // In Latin-1 each byte is a character.
                String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
                int whole = text.lastIndexOf('\n') + 1;
                int from = text.lastIndexOf('\n', whole - 2) + 1;
                if (from > 0 || window == size) {
                    String line =
                            new String(
                                    bytes.array(),
                                    from,
                                    Math.max(0, whole - 1 - from),
                                    StandardCharsets.UTF_8);
                    return new Tail(
                            size - window + whole, whole == 0 ? null : line, window - whole);
                }
            }
        }
    }

    @Override
    public byte[] kept() {
        return key.encoded();
    }

    @Override
    public void resumed(long[] next) throws IOException {
        boolean begins = last == null;
        ObjectNode body = begin(begins ? RUN : RESUMED);
        if (begins) {
            body.put("key", Base64.getEncoder().encodeToString(key.open().encoded()));
            body.set("about", AuditLine.JSON.valueToTree(about));
        } else {
            body.put("bytesCutOff", cut);
        }
        ArrayNode rounds = body.putArray("next");
        for (long each : next) {
            rounds.add(each);
        }
        write(body);
    }

    @Override
    public void closed(int server, RoundReport report, RoundTrace trace) throws IOException {
        ObjectNode body = begin(ROUND);
        body.put("server", server);
        body.put("round", report.round());
        body.put("time", report.decidedAt());
        body.put("f", report.f());
        int[] asked = trace.asked();
        if (IntStream.range(0, asked.length).allMatch(i -> asked[i] == i)) {
            body.put("asked", asked.length);
        } else {
            ids(body, "asked", asked);
        }
        ids(body, "rows", report.rows());
        ids(body, "selected", report.selected());
        ids(body, "faults", report.faults());
        numbers(body, "losses", trace.losses());
        numbers(body, "distances", trace.distances());
        body.put("model", HexFormat.of().formatHex(trace.model()));
        write(body);
    }

    @Override
    public void ended(List<ServerResult> servers) throws IOException {
        ObjectNode body = begin(ENDED);
        ArrayNode rounds = body.putArray("rounds");
        ArrayNode parameters = body.putArray("parameters");
        for (ServerResult each : servers) {
            rounds.add(each.roundCount());
            FlatVector all = each.vector();
            parameters.add(Summary.sha256(all.first(Math.min(dimension, all.size()))));
        }
        write(body);
        force();
    }

    private ObjectNode begin(String kind) {
        ObjectNode body = AuditLine.JSON.createObjectNode();
        body.put(AuditLine.ENTRY, last == null ? 0 : last.entry() + 1);
        body.put(AuditLine.PREVIOUS, last == null ? AuditLine.NOTHING : last.digest());
        return body.put(AuditLine.KIND, kind);
    }

    private static void ids(ObjectNode body, String name, int[] ids) {
        ArrayNode array = body.putArray(name);
        for (int id : ids) {
            array.add(id);
        }
    }

    /** Numbers as JSON, in which NaN and infinity are null. */
    private static void numbers(ObjectNode body, String name, double[] values) {
        ArrayNode array = body.putArray(name);
        for (double value : values) {
            if (Double.isFinite(value)) {
                array.add((float) value);
            } else {
                array.addNull();
            }
        }
    }

    private void write(ObjectNode body) throws IOException {
        last = AuditLine.signed(body, key);
        ByteBuffer bytes = ByteBuffer.wrap((last.text() + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
