package dev.levee.federated.gateway;

import static dev.levee.federated.gateway.GatewayFixture.GENEROUS;
import static dev.levee.federated.gateway.GatewayFixture.NAME;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.kafka.versions.ModelReader;
import dev.levee.connectors.kafka.versions.ModelSource;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.Versions;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.worker.FrameSink;
import dev.levee.connectors.kafka.worker.SumConnection;
import dev.levee.federated.gateway.device.DeviceFiles;
import dev.levee.federated.gateway.device.GatewayConnection;
import dev.levee.federated.gateway.device.GatewayRefusedException;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.operators.rounds.securesum.SumMessage;

import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

/** The device's side, at a gateway that listens. */
@Tag("long")
class GatewayConnectionTest {
    @TempDir static Path directory;

    /** The ways into the gateway, which are to make no difference. */
    private enum Door {
        HTTPS("https://127.0.0.1:", "HTTP 403") {
            @Override
            int port(GatewayFixture gateway) {
                return gateway.port();
            }
        },
        GRPC("grpcs://127.0.0.1:", "PERMISSION_DENIED") {
            @Override
            int port(GatewayFixture gateway) {
                return gateway.grpcPort();
            }
        };

        private final String prefix;
        private final String denied;

        Door(String prefix, String denied) {
            this.prefix = prefix;
            this.denied = denied;
        }

        abstract int port(GatewayFixture gateway);

        String at(GatewayFixture gateway) {
            return at(port(gateway));
        }

        String at(int port) {
            return prefix + port;
        }
    }

    /** What a device hears. */
    private static final class Heard implements ModelReader.Output {
        private final BlockingQueue<NewestVersion.Found> models = new LinkedBlockingQueue<>();
        private final CompletableFuture<RuntimeException> failure = new CompletableFuture<>();

        @Override
        public void newest(NewestVersion.Found model) {
            models.add(model);
        }

        @Override
        public void contradicted(Versions.Contradiction proof) {}

        @Override
        public void waiting(String why) {}

        @Override
        public void failed(RuntimeException cause) {
            failure.complete(cause);
        }
    }

    private static GatewayConnection connection(
            GatewayFixture gateway, String address, String name) {
        return new GatewayConnection(address, NAME, new DeviceFiles(gateway.keys().path(), name));
    }

    private static void token(GatewayFixture gateway, String name) throws Exception {
        Files.writeString(
                gateway.keys().path().resolve(name + ".token"), gateway.offer(name) + "\n");
    }

    private static ServerRing job(GatewayFixture gateway) {
        return ServerRing.of(gateway.keys().verifying(KeyDirectory.JOB));
    }

    private static float first(NewestVersion.Found found) {
        return found.frames().get(0).model().values()[0];
    }

    /** Takes what a device is told in secure sums. */
    private record Ear(BlockingQueue<byte[]> records) implements SumConnection.Output {
        @Override
        public void told(byte[] record) {
            records.add(record);
        }

        @Override
        public void waiting(String why) {}

        @Override
        public void failed(RuntimeException cause) {
            throw cause;
        }

        private SumMessage next() throws InterruptedException {
            return Frame.read(records.take()).orElseThrow().sum().orElseThrow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceTakesPartInASecureSumAndHearsWhatIsForItAlone(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            gateway.publish(3, false);
            GatewayConnection device = connection(gateway, door.at(gateway), "w1");
            Ear ear = new Ear(new LinkedBlockingQueue<>());
            try (SumConnection sums = device.sums(1, ear)) {
                sums.follow(GatewayFixture.RUN, 3, 0);
                byte[] left = gateway.said(3, new SumMessage.Left(1));
                CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                sums.say(
                        Frame.read(left).orElseThrow(),
                        left,
                        failure -> done.complete(Optional.ofNullable(failure)));
                assertThat(done.get()).isEmpty();
                assertThat(gateway.topics().history()).hasSize(1);
                assertThat(gateway.topics().history().get(0).value()).isEqualTo(left);
                // Shares for a thousand neighbors are more than one message of gRPC.
                byte[] shares = gateway.said(3, shares(1000));
                assertThat(shares).hasSizeGreaterThan(2 << 16);
                CompletableFuture<Optional<RuntimeException>> shared = new CompletableFuture<>();
                sums.say(
                        Frame.read(shares).orElseThrow(),
                        shares,
                        failure -> shared.complete(Optional.ofNullable(failure)));
                assertThat(shared.get()).isEmpty();
                assertThat(gateway.topics().history().get(1).value()).isEqualTo(shares);
                SumMessage.Delivery own = new SumMessage.Delivery(1, List.of());
                gateway.tell(2, new SumMessage.Closing(List.of(7)));
                gateway.tell(3, new SumMessage.Delivery(0, List.of()), own);
                assertThat(ear.next()).isEqualTo(own);
                gateway.tell(3, new SumMessage.Closing(List.of(0, 2)));
                assertThat(ear.next()).isEqualTo(new SumMessage.Closing(List.of(0, 2)));
                assertThat(ear.records()).isEmpty();
            }
        }
    }

    private static SumMessage.Shares shares(int neighbors) {
        return new SumMessage.Shares(
                1,
                new byte[32],
                new byte[32],
                IntStream.range(0, neighbors)
                        .mapToObj(
                                to ->
                                        new SumMessage.Sealed(
                                                to, new byte[80], new byte[32], new byte[32]))
                        .toList());
    }

    /** Or it would hear of the next round when its time is over. */
    @Test
    void whoWaitsInASumIsAnsweredWhenTheNextVersionIsThere() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            gateway.publish(3, false);
            List<List<byte[]>> answers = new ArrayList<>();
            String id = GatewayFixture.RUN + "-3";
            gateway.service().downloads().told(id, 1, 0, answers::add);
            assertThat(answers).isEmpty();
            gateway.publish(4, false);
            assertThat(answers).containsExactly(List.of());
            gateway.tell(3, new SumMessage.Delivery(1, List.of()));
            assertThat(answers).hasSize(1);
        }
    }

    @Test
    void nobodySpeaksInASecureSumThatDoesNotAskIt() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w3");
            gateway.publish(3, false);
            GatewayConnection device = connection(gateway, Door.HTTPS.at(gateway), "w3");
            try (SumConnection sums = device.sums(3, new Ear(new LinkedBlockingQueue<>()))) {
                byte[] left = gateway.said(3, new SumMessage.Left(3));
                CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                sums.say(
                        Frame.read(left).orElseThrow(),
                        left,
                        failure -> done.complete(Optional.ofNullable(failure)));
                assertThat(done.get().orElseThrow()).hasMessageContaining("does not ask");
                assertThat(gateway.topics().history()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceEnrollsReadsAndSends(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            Heard heard = new Heard();
            GatewayConnection device = connection(gateway, door.at(gateway), "w1");
            try (ModelSource models = device.models(job(gateway), 0, heard);
                    FrameSink sink = device.gradients(1)) {
                models.start();
                gateway.publish(3, false);
                NewestVersion.Found found = heard.models.take();
                assertThat(found.version()).isEqualTo(3);
                assertThat(first(found)).isEqualTo(3);
                assertThat(found.frames()).hasSize(2);
                for (int block = 0; block < 2; block++) {
                    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                    sink.send(
                            block,
                            gateway.frame(1, 3, block),
                            failure -> done.complete(Optional.ofNullable(failure)));
                    assertThat(done.get()).isEmpty();
                }
                assertThat(gateway.topics().history()).hasSize(2);
                gateway.publish(4, true);
                assertThat(heard.models.take().frames().get(0).settings().stop()).isTrue();
            }
            assertThat(gateway.keys().path().resolve("w1.token")).doesNotExist();
            assertThat(gateway.keys().path().resolve("w1.account")).exists();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceThatIsNotAskedDownloadsNothing(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w3");
            Heard heard = new Heard();
            try (ModelSource models =
                    connection(gateway, door.at(gateway), "w3").models(job(gateway), 0, heard)) {
                models.start();
                gateway.publish(3, false);
                Until.holds(() -> gateway.models().waiting() == 1);
                gateway.publish(4, true);
                assertThat(heard.models.take().version()).isEqualTo(4);
            }
            assertThat(gateway.metrics().sent.sum()).as("one model").isLessThan(600_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedDownloadGoesOnWhereItWasInterrupted(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS);
                CuttingProxy link = new CuttingProxy(door.port(gateway), 100_000, 3)) {
            token(gateway, "w1");
            NewestVersion.Found published = gateway.publish(3, false);
            Heard heard = new Heard();
            try (ModelSource models =
                    connection(gateway, door.at(link.port()), "w1")
                            .models(job(gateway), 0, heard)) {
                models.start();
                NewestVersion.Found found = heard.models.take();
                for (int block = 0; block < 2; block++) {
                    assertThat(found.frames().get(block).checksum())
                            .isEqualTo(published.frames().get(block).checksum());
                }
            }
            assertThat(link.left()).as("connections to be cut").isZero();
            assertThat(gateway.metrics().requests.sum()).as("the rest in four parts").isEqualTo(6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatKafkaDoesNotTakeIsSentAgain(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, false, GENEROUS)) {
            token(gateway, "w1");
            gateway.publish(3, false);
            GatewayConnection device = connection(gateway, door.at(gateway), "w1");
            try (FrameSink sink = device.gradients(1)) {
                CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                sink.send(
                        1,
                        gateway.frame(1, 3, 1),
                        failure -> done.complete(Optional.ofNullable(failure)));
                Until.holds(() -> gateway.topics().history().size() == 1);
                gateway.topics().errorNext(new NotEnoughReplicasException("too few replicas"));
                Until.holds(() -> gateway.topics().history().size() == 2);
                assertThat(done.isDone()).isFalse();
                gateway.topics().completeNext();
                assertThat(done.get()).isEmpty();
            }
        }
    }

    /** What a gateway has acknowledged is not sent again; what it has not is sent to the next. */
    @ParameterizedTest
    @EnumSource
    void aContributionGoesOnAtTheNextGatewayWithTheBlockThatWasInterrupted(Door door)
            throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, false, GENEROUS)) {
            token(gateway, "w1");
            gateway.publish(3, false);
            GatewayConnection device = connection(gateway, door.at(gateway), "w1");
            try (FrameSink sink = device.gradients(1)) {
                List<CompletableFuture<Optional<RuntimeException>>> done = new ArrayList<>();
                for (int block = 0; block < 2; block++) {
                    CompletableFuture<Optional<RuntimeException>> each = new CompletableFuture<>();
                    done.add(each);
                    sink.send(
                            block,
                            gateway.frame(1, 3, block),
                            failure -> each.complete(Optional.ofNullable(failure)));
                }
                Until.holds(() -> gateway.topics().history().size() == 1);
                gateway.topics().completeNext();
                assertThat(done.get(0).get()).isEmpty();
                Until.holds(() -> gateway.topics().history().size() == 2);
                gateway.restart();
                gateway.publish(3, false);
                Until.holds(() -> gateway.topics().history().size() == 1);
                assertThat(done.get(1).isDone()).isFalse();
                gateway.topics().completeNext();
                assertThat(done.get(1).get()).isEmpty();
            }
            assertThat(gateway.topics().history()).hasSize(1);
            assertThat(gateway.topics().history().get(0).value()).isEqualTo(gateway.frame(1, 3, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aContributionThatIsLateIsNoFault(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            gateway.publish(3, false);
            gateway.publish(2000, false);
            gateway.publish(2001, false);
            GatewayConnection device = connection(gateway, door.at(gateway), "w1");
            try (FrameSink sink = device.gradients(1)) {
                CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                sink.send(
                        1,
                        gateway.frame(1, 3, 1),
                        failure -> done.complete(Optional.ofNullable(failure)));
                assertThat(done.get()).isEmpty();
            }
            assertThat(gateway.metrics().refused(Refusal.STALE)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRevokedDeviceEndsWithASentence(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            Heard heard = new Heard();
            try (ModelSource models =
                    connection(gateway, door.at(gateway), "w1").models(job(gateway), 0, heard)) {
                models.start();
                gateway.publish(3, false);
                heard.models.take();
                gateway.revoke("w1");
                gateway.publish(4, false);
                assertThat(heard.failure.get())
                        .isInstanceOf(GatewayRefusedException.class)
                        .hasMessageContaining(
                                "the account has been revoked (%s)".formatted(door.denied));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatTheJobHasNotSignedIsNotBelieved(Door door) throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            Heard heard = new Heard();
            ServerRing other = ServerRing.of(gateway.keys().verifying("w2"));
            try (ModelSource models =
                    connection(gateway, door.at(gateway), "w1").models(other, 0, heard)) {
                models.start();
                gateway.publish(3, false);
                Until.holds(() -> gateway.metrics().sent.sum() > 600_000); // it asks again
                assertThat(heard.models).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceWithACertificateNeedsNoAccount(Door door) throws Exception {
        Path own = Files.createDirectory(directory.resolve("mutual" + door));
        Path made = directory.resolve("made");
        if (!Files.exists(made)) {
            Files.createDirectory(made);
            Certificates.authority(made);
            Certificates.device(made, made, "w1");
        }
        Files.copy(made.resolve("authority.crt"), own.resolve("authority.crt"));
        try (GatewayFixture gateway = new GatewayFixture(own, true, GENEROUS, true)) {
            for (String file : List.of("w1.tls.crt", "w1.tls.key")) {
                Files.copy(made.resolve(file), gateway.keys().path().resolve(file));
            }
            gateway.publish(3, false);
            Heard heard = new Heard();
            try (ModelSource models =
                    connection(gateway, door.at(gateway), "w1").models(job(gateway), 0, heard)) {
                models.start();
                assertThat(heard.models.take().version()).isEqualTo(3);
                gateway.revoke("w1");
                gateway.publish(4, false);
                assertThat(heard.failure.get()).hasMessageContaining("revoked");
            }
            // Another device's account does not help who has this certificate, or none.
            token(gateway, "w2");
            try (FrameSink sink = connection(gateway, door.at(gateway), "w2").gradients(2)) {
                CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
                sink.send(
                        1,
                        gateway.frame(2, 4, 1),
                        failure -> done.complete(Optional.ofNullable(failure)));
                assertThat(done.get()).isNotEmpty();
            }
            assertThat(gateway.topics().history()).isEmpty();
            assertThat(gateway.metrics().refused(Refusal.HANDSHAKE)).isPositive();
        }
    }

    @Test
    void aRunWithSeveralServersIsRefused() throws Exception {
        try (GatewayFixture gateway = new GatewayFixture(directory, true, GENEROUS)) {
            token(gateway, "w1");
            GatewayConnection device = connection(gateway, gateway.address(), "w1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> device.models(ServerRing.open(3), 1, new Heard()))
                    .withMessage("--gateway is for runs with one server, got --servers 3");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway:8443",
                "http://gateway",
                "grpc://gateway",
                "https://gateway/path",
                "https://",
                "h h"
            })
    void whatIsNoAddressIsRefused(String address) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatewayConnection.address(address))
                .withMessage(
                        "--gateway must be an address such as https://gateway.example:8443 or"
                                + " grpcs://gateway.example:8444, got "
                                + address);
    }

    @Test
    void aDeviceWithoutTokenAndAccountIsToldWhatItLacks() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DeviceFiles(directory.resolve("none"), "w1").check())
                .withMessage(
                        ("--keys %s has neither w1.token, which levee accounts offer w1 makes, nor"
                                        + " w1.account or w1.tls.crt")
                                .formatted(directory.resolve("none")));
    }
}
