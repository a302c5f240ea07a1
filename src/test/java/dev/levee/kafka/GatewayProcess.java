package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.LeveeProcess;
import dev.levee.RunningJob;
import dev.levee.jobs.internal.cluster.Ports;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A gateway as a process, which can be killed and started again at the same address. */
public final class GatewayProcess implements AutoCloseable {
    private static final String PASSWORD = "password";

    private final Path directory;
    private final Path keys;
    private final int port = Ports.free(0);
    private final int grpcPort = Ports.free(0);
    private int starts;
    private LeveeProcess process;

    /**
     * Makes its certificate.
     *
     * @param directory for its files
     * @param keys where devices look for {@code gateway.pem}
     */
    public GatewayProcess(Path directory, Path keys) throws Exception {
        this.directory = directory;
        this.keys = keys;
        Path store = directory.resolve("gateway.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-genkeypair",
                                "-alias",
                                "gateway",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=gateway",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-keystore",
                                store.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("keytool.out").toFile())
                        .start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore own = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        write(
                keys.resolve("gateway.pem"),
                "CERTIFICATE",
                own.getCertificate("gateway").getEncoded());
        write(
                directory.resolve("gateway.key"),
                "PRIVATE KEY",
                own.getKey("gateway", PASSWORD.toCharArray()).getEncoded());
    }

    private static void write(Path file, String type, byte[] encoded) throws Exception {
        String base64 =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(encoded);
        Files.writeString(
                file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(type, base64));
    }

    /** Starts it, and waits until it listens. */
    public void start(String bootstrapServers, String run) throws Exception {
        starts++;
        process =
                LeveeProcess.start(
                        directory.resolve("gateway%d.out".formatted(starts)),
                        "gateway",
                        "--listen=127.0.0.1:" + port,
                        "--grpc-listen=127.0.0.1:" + grpcPort,
                        "--bootstrap-servers=" + bootstrapServers,
                        "--run=" + run,
                        "--keys=" + keys,
                        "--certificate=" + keys.resolve("gateway.pem"),
                        "--certificate-key=" + directory.resolve("gateway.key"));
        RunningJob.until(
                "the gateway listens", () -> process.said().contains("gRPC: " + grpcAddress()));
    }

    /** Where devices find it that speak HTTPS. */
    public String address() {
        return "https://127.0.0.1:" + port;
    }

    /** Where devices find it that speak gRPC. */
    public String grpcAddress() {
        return "grpcs://127.0.0.1:" + grpcPort;
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
