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
 * The files of a device that uses a gateway, in addition to its keys.
 *
 * <pre>
 *   gateway.pem       trusted certificates of gateways; without it, those of the JDK
 *   w3.token          an enrollment token; deleted after its use
 *   w3.account        the secret of the device's account
 *   w3.tls.crt, .key  a client certificate and its key, instead of an account
 * </pre>
 *
 * @param directory directory of these files
 * @param name of the device, such as {@code w3}
 */
public record DeviceFiles(Path directory, String name) {
    private static final List<String> KEYS = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = {};

    /** The file of the token. */
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
     * Checks that the device has credentials.
     *
     * @throws IllegalArgumentException if it has none; one sentence
     */
    public void check() {
        if (!certified() && !Files.exists(token()) && !Files.exists(account())) {
            throw new IllegalArgumentException(
                    ("--keys %1$s has neither %2$s.token, which levee accounts offer %2$s makes,"
                                    + " nor %2$s.account or %2$s.tls.crt")
                            .formatted(directory, name));
        }
    }

    /** The enrollment token, if it was not used yet. */
    Optional<String> unusedToken() {
        return read(token());
    }

    /** Deletes the token after its use. */
    void tokenUsed() {
        try {
            Files.deleteIfExists(token());
        } catch (IOException e) {
            throw new IllegalStateException(token() + " cannot be removed: " + e.getMessage(), e);
        }
    }

    /** The secret of the account, which is enrolled or about to be; empty without an account. */
    Optional<String> secret() {
        return read(account());
    }

    /**
     * Writes the secret and forces it to disk, so that the device never enrolls with two secrets.
     */
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

    /** Creates an empty file. On POSIX file systems, only its owner can read it. */
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
     * Creates the TLS context with the trusted certificates and the device's own.
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
                continue; // not a key of this algorithm
            }
        }
        throw new IllegalArgumentException(file + " is not a private key in PEM (PKCS #8)");
    }
}
