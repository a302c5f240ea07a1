package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.limit.Reserve;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.AnsweredVersion;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.TopicWriter;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.KafkaException;

/**
 * Checks contributions, block by block, and scores, and writes them to the topics. They are
 * acknowledged when Kafka has stored them.
 */
public final class Uploads {
    private static final int AGAIN_SECONDS = 2;

    /**
     * A frame that a client may send.
     *
     * @param most maximum number of bytes
     */
    public record Expected(int most, Receiver receiver) {}

    /** Handles a complete frame. */
    public interface Receiver {
        /**
         * Checks the frame and writes it. May block for some seconds.
         *
         * @param done called when Kafka has stored the frame, or will not store it
         * @throws RefusedException if the frame is not the one expected
         */
        void take(byte[] frame, CompletionListener done) throws RefusedException;
    }

    private final Models models;
    private final Contributions checks;
    private final TopicWriter writer;
    private final Credentials credentials;
    private final Reserve memory;
    private final GatewayMetrics metrics;

    Uploads(
            Models models,
            Contributions checks,
            TopicWriter writer,
            Credentials credentials,
            Reserve memory,
            GatewayMetrics metrics) {
        this.models = models;
        this.checks = checks;
        this.writer = writer;
        this.credentials = credentials;
        this.memory = memory;
        this.metrics = metrics;
    }

    /**
     * Admits a block of a contribution, before its bytes are read.
     *
     * @param id id of the version that it answers
     * @param length announced number of bytes
     */
    public Expected gradient(int device, String id, int block, long length)
            throws RefusedException {
        AnsweredVersion version = models.answered(id);
        if (!version.asks(device)) {
            throw new RefusedException(Refusal.NOT_ASKED, "this round does not ask this device");
        }
        int blocks = version.shape().blocks();
        if (block < 0 || block >= blocks) {
            throw new RefusedException(
                    Refusal.WRONG_PLACE, "the model has %d blocks".formatted(blocks));
        }
        credentials.charge(device, length);
        return new Expected(
                Contributions.most(version.shape(), block),
                (frame, done) -> {
                    checks.checkGradient(frame, device, version, block);
                    write(done, written -> writer.gradient(device, block, frame, written));
                });
    }

    /** Admits the scores of a version, before their bytes are read. */
    public Expected scores(int device, String id, long length) throws RefusedException {
        PublishedVersion version = models.version(id);
        if (!version.asksToEvaluate(device)) {
            throw new RefusedException(
                    Refusal.NOT_ASKED, "this device is not asked to evaluate this version");
        }
        credentials.charge(device, length);
        return new Expected(
                Contributions.mostOfScores(),
                (frame, done) -> {
                    checks.checkScores(frame, device, version);
                    write(done, written -> writer.scores(device, frame, written));
                });
    }

    /**
     * Admits a device's message in the secure sum of a version's round, before its bytes are read.
     */
    public Expected sum(int device, String id, long length) throws RefusedException {
        AnsweredVersion version = models.answered(id);
        if (!version.asks(device)) {
            throw new RefusedException(Refusal.NOT_ASKED, "this round does not ask this device");
        }
        credentials.charge(device, length);
        return new Expected(
                Contributions.mostOfSum(),
                (frame, done) -> {
                    checks.checkSum(frame, device, version);
                    write(done, written -> writer.sum(device, frame, written));
                });
    }

    /**
     * Reserves memory for a body before it is read.
     *
     * @param most maximum number of bytes
     * @throws RefusedException if the body is larger, or if there is not enough memory at the
     *     moment
     */
    public void reserve(long length, int most) throws RefusedException {
        if (length > most) {
            throw new RefusedException(
                    Refusal.TOO_LARGE, "the body may have at most %d bytes".formatted(most));
        }
        if (!memory.take(length)) {
            throw full();
        }
    }

    /** Releases reserved memory. */
    public void free(long length) {
        memory.give(length);
    }

    /** Creates the refusal of a contribution for lack of memory. */
    public static RefusedException full() {
        return new RefusedException(
                Refusal.NO_MEMORY, AGAIN_SECONDS, "too many contributions at once");
    }

    private interface Writing {
        void write(Callback done);
    }

    private void write(CompletionListener done, Writing writing) throws RefusedException {
        try {
            writing.write(
                    (metadata, failure) -> {
                        if (failure == null) {
                            metrics.acknowledged.increment();
                            done.ended(null);
                        } else {
                            done.ended(noBroker());
                        }
                    });
        } catch (KafkaException e) {
            throw noBroker();
        }
    }

    private static RefusedException noBroker() {
        return new RefusedException(
                Refusal.NO_BROKER, AGAIN_SECONDS, "no broker accepts contributions now");
    }
}
