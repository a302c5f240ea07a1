package dev.levee.federated.gateway.device;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Files of a device that uses a gateway, beside its keys.
 *
 * <pre>
 *   gateway.pem       certificates of gateways that are believed; without it, those of the JDK
 *   w3.token          an enrollment token; gone when it has been used
 *   w3.account        the secret of the device's account
 *   w3.tls.crt, .key  a client certificate and its key, instead of an account
 * </pre>
 *
 * @param directory where they are
 * @param name of the device, such as {@code w3}
 */
public record DeviceFiles(Path directory, String name) {
    private static final List<String> KEYS = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = {};

    /** The file with the token. */
    public Path token() {
        return directory.resolve(name + ".token");
    }

    private Path account() {
        return directory.resolve(name + ".account");
    }

    private Path certificate() {
        return directory.resolve(name + ".tls.crt");
    }

    /** True if the device has a certificate of its own. */
    public boolean certified() {
        return Files.exists(certificate());
    }

    /**
     * Checks that the device has something to show.
     *
     * @throws IllegalArgumentException if it has nothing; one sentence
     */
    public void check() {
        if (!certified() && !Files.exists(token()) && !Files.exists(account())) {
            throw new IllegalArgumentException(
                    ("--keys %1$s has neither %2$s.token, which levee accounts offer %2$s makes,"
                                    + " nor %2$s.account or %2$s.tls.crt")
                            .formatted(directory, name));
        }
    }

    /** The enrollment token that has not been used yet. */
    Optional<String> unusedToken() {
        return read(token());
    }

    /** The token has been used. */
    void tokenUsed() {
        try {
            Files.deleteIfExists(token());
        } catch (IOException e) {
            throw new IllegalStateException(token() + " cannot be removed: " + e.getMessage(), e);
        }
    }

    /** The secret of the account, which is enrolled or about to be; empty without one. */
    Optional<String> secret() {
        return read(account());
    }

    /** Writes a secret; when this returns, it is on disk, so that nobody asks twice with two. */
    void write(String secret) {
        Path part = account().resolveSibling(account().getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            create(part);
            try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(secret.getBytes(StandardCharsets.US_ASCII)));
                file.force(true);
            }
            Files.move(part, account(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IllegalStateException(account() + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Creates an empty file that only its owner can read, where the system knows that. */
    public static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
    }

    private static Optional<String> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * TLS with whom the device believes, and what it shows.
     *
     * @throws IllegalArgumentException if a file is wrong; one sentence
     */
    SSLContext tls() {
        Path believed = directory.resolve("gateway.pem");
        try {
            TrustManager[] trust = Files.exists(believed) ? trust(certificates(believed)) : null;
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(certified() ? own() : null, trust, null);
            return context;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--keys %s: gateway.pem, %s.tls.crt or %2$s.tls.key is wrong: %s"
                            .formatted(directory, name, e.getMessage()),
                    e);
        }
    }

    private static List<Certificate> certificates(Path file)
            throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
        }
    }

    private static TrustManager[] trust(List<Certificate> believed)
            throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        for (int i = 0; i < believed.size(); i++) {
            store.setCertificateEntry("gateway" + i, believed.get(i));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private KeyManager[] own() throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry(
                name,
                key(directory.resolve(name + ".tls.key")),
                NO_PASSWORD,
                certificates(certificate()).toArray(new Certificate[0]));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file);
        String base64 =
                pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "").replaceAll("\\s", "");
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
        for (String algorithm : KEYS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                continue; // a key of another algorithm
            }
        }
        throw new IllegalArgumentException(file + " is not a private key in PEM (PKCS #8)");
    }
}
