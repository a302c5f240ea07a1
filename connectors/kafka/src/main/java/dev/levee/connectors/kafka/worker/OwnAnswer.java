package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds a worker's earlier answer to a model on the topic of gradients. A worker without a state
 * file thereby avoids contradicting itself after a restart.
 */
final class OwnAnswer {
    /**
     * Tolerated difference between brokers' clocks, which set the timestamps of a version and of
     * the answers to it.
     */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

    private final int worker;
    private final int server;
    private final SigningKey own;
    private final ReadModel model;
    private final TreeMap<Integer, byte[]> frames = new TreeMap<>();

    private OwnAnswer(int worker, int server, SigningKey own, ReadModel model) {
        this.worker = worker;
        this.server = server;
        this.own = own;
        this.model = model;
    }

    /**
     * Finds the worker's complete answer to a model; empty if there is none.
     *
     * @param server the server that the answer is for
     * @param own the worker's key, null in a run without keys
     * @param patience maximum time without any record
     * @throws org.apache.kafka.common.errors.TimeoutException if no record arrives within {@code
     *     patience}
     */
    static Optional<Answer> find(
            Connection connection,
            int worker,
            int server,
            SigningKey own,
            ReadModel model,
            Duration patience) {
        long since = Math.max(0, model.publishedAt() - CLOCKS_DIFFER.toMillis());
        OwnAnswer answer = new OwnAnswer(worker, server, own, model);
        connection.sent(since, patience, answer::add);
        return answer.whole();
    }

    private void add(byte[] record) {
        Frame.read(record, FrameKind.GRADIENT)
                .filter(this::answers)
                .filter(frame -> Arrays.equals(ownFrame(frame), record))
                .ifPresent(frame -> frames.putIfAbsent(frame.block(), record));
    }

    /**
     * Creates the frame again. Ed25519 signatures are deterministic, so the bytes are equal if this
     * worker made the frame.
     */
    private byte[] ownFrame(Frame frame) {
        return Frames.of(frame.gradient(), frame.localScore().orElse(null), frame.blocks(), own);
    }

    private boolean answers(Frame frame) {
        return frame.sender() == worker
                && frame.receiver() == server
                && frame.run() == model.run()
                && frame.round() == model.version()
                && frame.blocks() == model.blocks().size()
                && frame.length() == model.blocks().get(frame.block()).values().length;
    }

    private Optional<Answer> whole() {
        if (frames.size() < model.blocks().size()) {
            return Optional.empty();
        }
        double loss = Frame.read(frames.get(0)).orElseThrow().gradient().loss();
        return Optional.of(
                new Answer(model.run(), model.version(), loss, List.copyOf(frames.values())));
    }
}
