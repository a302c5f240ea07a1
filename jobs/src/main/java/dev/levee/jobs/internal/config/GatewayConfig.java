package dev.levee.jobs.internal.config;

import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.federated.gateway.Gateway;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.service.Tls;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of a gateway: its address, its certificate, and the limits of its clients. */
public record GatewayConfig(
        @Setting(
                        group = "Gateway",
                        label = "HOST:PORT",
                        fallback = "127.0.0.1:8443",
                        help = "Address to listen on for HTTPS; 0.0.0.0:8443 for all interfaces.")
                String listen,
        @Setting(
                        label = "HOST:PORT",
                        derived = "none",
                        help = "Address to listen on for gRPC as well, such as 0.0.0.0:8444.")
                String grpcListen,
        @Setting(label = "FILE", help = "The gateway's certificate chain in PEM. Required.")
                String certificate,
        @Setting(label = "FILE", help = "Its private key in PEM (PKCS #8). Required.")
                String certificateKey,
        @Setting(
                        label = "FILE",
                        help =
                                "Certificates in PEM of the authority that signs those of devices."
                                        + " A device whose certificate has its name, such as w3,"
                                        + " as the common name needs no account.")
                String clientAuthority,
        @Setting(label = "", help = "Refuse clients without such a certificate.")
                boolean requireCertificates,
        @Setting(
                        label = "PORT",
                        range = "[0, 65535]",
                        derived = "none",
                        help =
                                "Port on 127.0.0.1 for /metrics, in Prometheus' format; 0 for "
                                        + "any free port.")
                Integer metricsPort,
        @Setting(
                        group = "Limits",
                        label = "N",
                        fallback = "12000",
                        range = "[1, 1000000]",
                        help = "Connections in all.")
                int connections,
        @Setting(
                        label = "N",
                        fallback = "64",
                        range = "[1, 1000000]",
                        help = "Connections from one address.")
                int connectionsPerAddress,
        @Setting(
                        label = "N",
                        fallback = "10",
                        range = "(0, 1000000]",
                        help =
                                "Requests per second of one device; a burst may have ten seconds'"
                                        + " worth.")
                double requestsPerSecond,
        @Setting(
                        label = "N",
                        fallback = "200",
                        range = "(0, 1000000]",
                        help =
                                "Requests per second from one address. A request with wrong"
                                        + " credentials counts as 20.")
                double addressRequestsPerSecond,
        @Setting(
                        label = "SIZE",
                        fallback = "8m",
                        help =
                                "Bytes per second that one device sends and receives; a burst may"
                                        + " have ten seconds' worth.")
                String bytesPerSecond,
        @Setting(
                        label = "SIZE",
                        derived = "a quarter of the heap",
                        help = "Memory for contributions on their way to Kafka.")
                String uploadMemory,
        @Setting(
                        label = "SIZE",
                        fallback = "4k",
                        help =
                                "Bytes per second that a client must send or receive in a body, "
                                        + "on average.")
                String slowest,
        @Setting(
                        label = "TIME",
                        fallback = "10s",
                        help = "How long a handshake or the header of a request may take.")
                Duration patience,
        @Setting(
                        label = "TIME",
                        fallback = "2min",
                        help = "How long a connection may be idle between two requests.")
                Duration idle) {
    /** All settings of this record. */
    public static final SettingsTable<GatewayConfig> SETTINGS =
            SettingsTable.of(GatewayConfig.class);

    private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final int HEAP_SHARE = 4;
    private static final int PORTS = 65536;

    /**
     * Creates the gateway's options.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public Gateway.Options options(KafkaConfig kafka) {
        return new Gateway.Options(
                kafka.address(),
                kafka.topics(),
                kafka.jobKey(),
                kafka.unsigned() ? KeyRing.OPEN : kafka.directory().workers(),
                address("--listen", listen),
                grpcListen == null ? null : address("--grpc-listen", grpcListen),
                tls(),
                limits(),
                metricsPort == null ? -1 : metricsPort);
    }

    private static InetSocketAddress address(String option, String given) {
        Matcher matcher = ADDRESS.matcher(given);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) >= PORTS) {
            throw new IllegalArgumentException(
                    option + " must be host:port such as 0.0.0.0:8443, got " + given);
        }
        InetSocketAddress address =
                new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "%s %s: there is no host %s".formatted(option, given, matcher.group(1)));
        }
        return address;
    }

    private Tls tls() {
        if (certificate == null || certificateKey == null) {
            throw new IllegalArgumentException(
                    "--certificate and --certificate-key are needed: the gateway speaks TLS only");
        }
        if (requireCertificates && clientAuthority == null) {
            throw new IllegalArgumentException(
                    "--require-certificates needs --client-authority, which signs them");
        }
        return new Tls(
                Path.of(certificate),
                Path.of(certificateKey),
                clientAuthority == null ? null : Path.of(clientAuthority),
                requireCertificates);
    }

    private Limits limits() {
        return new Limits(
                connections,
                connectionsPerAddress,
                requestsPerSecond,
                addressRequestsPerSecond,
                Sizes.bytes("--bytes-per-second", bytesPerSecond),
                uploadMemory == null
                        ? Runtime.getRuntime().maxMemory() / HEAP_SHARE
                        : Sizes.bytes("--upload-memory", uploadMemory),
                Sizes.bytes("--slowest", slowest),
                patience,
                idle,
                LONGEST_WAIT);
    }
}
