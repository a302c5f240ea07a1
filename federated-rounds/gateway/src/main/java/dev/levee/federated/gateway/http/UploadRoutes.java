package dev.levee.federated.gateway.http;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.limit.Buckets;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.AnsweredVersion;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.TopicWriter;

import io.netty.handler.codec.http.HttpHeaderNames;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.KafkaException;

/** Contributions, block by block, and scores; acknowledged only when Kafka has them. */
final class UploadRoutes {
    private static final int AGAIN_SECONDS = 2;

    private final Models models;
    private final Contributions checks;
    private final TopicWriter writer;
    private final Buckets bytes;
    private final GatewayMetrics metrics;

    UploadRoutes(
            Models models,
            Contributions checks,
            TopicWriter writer,
            Buckets bytes,
            GatewayMetrics metrics) {
        this.models = models;
        this.checks = checks;
        this.writer = writer;
        this.bytes = bytes;
        this.metrics = metrics;
    }

    Admitted gradient(Request request, int device, String id, String block)
            throws RefusedException {
        AnsweredVersion version = models.answered(id);
        if (!version.asks(device)) {
            throw new RefusedException(Refusal.NOT_ASKED, "this round does not ask this device");
        }
        int number = block.matches("\\d{1,9}") ? Integer.parseInt(block) : Integer.MAX_VALUE;
        int blocks = version.shape().blocks();
        if (number >= blocks) {
            throw new RefusedException(
                    Refusal.WRONG_PLACE, "the model has %d blocks".formatted(blocks));
        }
        charge(request, device);
        return new Admitted(
                Contributions.most(version.shape(), number),
                true,
                (body, reply) -> {
                    checks.checkGradient(body, device, version, number);
                    write(reply, done -> writer.gradient(device, number, body, done));
                });
    }

    Admitted scores(Request request, int device, String id) throws RefusedException {
        PublishedVersion version = models.version(id);
        if (!version.asksToEvaluate(device)) {
            throw new RefusedException(
                    Refusal.NOT_ASKED, "this device is not asked to evaluate this version");
        }
        charge(request, device);
        return new Admitted(
                Contributions.mostOfScores(),
                true,
                (body, reply) -> {
                    checks.checkScores(body, device, version);
                    write(reply, done -> writer.scores(device, body, done));
                });
    }

    private void charge(Request request, int device) throws RefusedException {
        int length = request.headers().getInt(HttpHeaderNames.CONTENT_LENGTH, 0);
        int wait = bytes.take(KeyDirectory.name(device), Math.max(0, length));
        if (wait > 0) {
            throw new RefusedException(Refusal.DEVICE_BYTES, wait, "too many bytes of this device");
        }
    }

    private interface Writing {
        void write(Callback done);
    }

    private void write(Reply reply, Writing writing) throws RefusedException {
        try {
            writing.write(
                    (metadata, failure) -> {
                        if (failure == null) {
                            metrics.acknowledged.increment();
                            reply.empty(204);
                        } else {
                            reply.refuse(noBroker());
                        }
                    });
        } catch (KafkaException e) {
            throw noBroker();
        }
    }

    private static RefusedException noBroker() {
        return new RefusedException(
                Refusal.NO_BROKER, AGAIN_SECONDS, "no broker takes contributions now");
    }
}
