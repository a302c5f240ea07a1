package dev.levee.federated.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates for tests, made by the JDK's keytool when a test needs them. */
public final class Certificates {
    private static final String PASSWORD = "password";

    /** The server's certificate and key, made once a JVM: keytool takes half a second. */
    private static List<String> server;

    private Certificates() {}

    /**
     * Writes {@code gateway.crt} and {@code gateway.key} for 127.0.0.1, signed by themselves, and
     * {@code gateway.pem} where a device looks for it.
     */
    public static synchronized void server(Path directory, Path keys) throws Exception {
        Path certificate = directory.resolve("gateway.crt");
        Path key = directory.resolve("gateway.key");
        if (server == null) {
            make(directory, certificate, key);
            server = List.of(Files.readString(certificate), Files.readString(key));
        }
        Files.writeString(certificate, server.get(0));
        Files.writeString(key, server.get(1));
        Files.copy(certificate, keys.resolve("gateway.pem"));
    }

    private static void make(Path directory, Path certificate, Path key) throws Exception {
        Path store = directory.resolve("gateway.p12");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "own",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=gateway",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost");
        write(store, "own", certificate, key);
    }

    /** Makes {@code authority.crt}, an authority for devices. */
    public static void authority(Path directory) throws Exception {
        Path store = directory.resolve("authority.p12");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "authority",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=authority",
                "-ext",
                "bc:c");
        write(store, "authority", directory.resolve("authority.crt"), null);
    }

    /** Makes {@code w3.tls.crt} and {@code .key}, signed by the authority. */
    public static void device(Path directory, Path keys, String name) throws Exception {
        Path store = directory.resolve(name + ".p12");
        keytool(
                store,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name);
        Path request = directory.resolve(name + ".csr");
        keytool(store, "-certreq", "-alias", name, "-file", request.toString());
        Path signed = directory.resolve(name + ".crt");
        keytool(
                directory.resolve("authority.p12"),
                "-gencert",
                "-alias",
                "authority",
                "-rfc",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString());
        write(store, name, directory.resolve(name + ".own"), keys.resolve(name + ".tls.key"));
        Files.copy(signed, keys.resolve(name + ".tls.crt"));
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-J-XX:+UseSerialGC",
                                "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        command.addAll(
                List.of(
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD));
        Path said = store.resolveSibling("keytool.out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    private static void write(Path store, String alias, Path certificate, Path key)
            throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Certificate own = keys.getCertificate(alias);
        Files.writeString(certificate, pem("CERTIFICATE", own.getEncoded()));
        if (key != null) {
            Key secret = keys.getKey(alias, PASSWORD.toCharArray());
            Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
        }
    }

    private static String pem(String type, byte[] encoded) {
        String base64 =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(encoded);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(type, base64);
    }
}
