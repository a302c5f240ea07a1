package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

class KeyDirectoryTest {
    private static final byte[] MESSAGE = "a message".getBytes(StandardCharsets.US_ASCII);

    @TempDir Path temporary;
    private KeyDirectory keys;

    @BeforeEach
    void inADirectoryThatIsNotThereYet() {
        keys = new KeyDirectory(temporary.resolve("some/keys"));
    }

    private static boolean fit(SigningKey secret, VerifyingKey open) {
        return open.verifies(MESSAGE, secret.sign(MESSAGE));
    }

    @Test
    void aPairFits() throws IOException {
        keys.generate("job");
        keys.generate("w3");
        assertThat(fit(keys.signing("w3"), keys.verifying("w3"))).isTrue();
        assertThat(fit(keys.signing("job"), keys.verifying("w3"))).isFalse();
    }

    @Test
    void onlyItsOwnerReadsAPrivateKey() throws IOException {
        assumeThat(Files.getFileStore(temporary).supportsFileAttributeView("posix"))
                .as("a file system with POSIX permissions")
                .isTrue();
        keys.generate("w0");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(keys.secretFile("w0"))))
                .isEqualTo("rw-------");
    }

    @Test
    void noKeyIsOverwritten() throws IOException {
        keys.generate("w0");
        byte[] secret = Files.readAllBytes(keys.secretFile("w0"));
        byte[] open = Files.readAllBytes(keys.publicFile("w0"));
        assertThatThrownBy(() -> keys.generate("w0"))
                .isInstanceOf(FileAlreadyExistsException.class);
        Files.delete(keys.publicFile("w0"));
        assertThatThrownBy(() -> keys.generate("w0"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(keys.secretFile("w0").toString());
        assertThat(Files.readAllBytes(keys.secretFile("w0"))).isEqualTo(secret);
        // A registered key whose private half is elsewhere.
        Files.write(keys.publicFile("w0"), open);
        Files.delete(keys.secretFile("w0"));
        assertThatThrownBy(() -> keys.generate("w0"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(keys.publicFile("w0").toString());
        assertThat(keys.secretFile("w0")).doesNotExist();
        assertThat(Files.readAllBytes(keys.publicFile("w0"))).isEqualTo(open);
    }

    @Test
    void theDirectoryMayBeALink() throws IOException {
        Path real = Files.createDirectory(temporary.resolve("real"));
        KeyDirectory linked =
                new KeyDirectory(Files.createSymbolicLink(temporary.resolve("link"), real));
        linked.generate("w1");
        assertThat(new KeyDirectory(real).names()).containsExactly("w1");
    }

    @Test
    void theRingHoldsTheWorkers() throws IOException {
        for (String name : List.of("w10", "job", "w2")) {
            keys.generate(name);
        }
        Files.writeString(keys.path().resolve("w03.pub"), "not a name of ours");
        Files.writeString(keys.path().resolve("README"), "");
        assertThat(keys.names()).containsExactly("job", "w2", "w10");
        KeyRing ring = keys.workers();
        assertThat(ring.workers()).containsOnlyKeys(2, 10);
        assertThat(ring.knows(2)).isTrue();
        assertThat(ring.knows(3)).isFalse();
        assertThat(ring.of(10)).isEqualTo(keys.verifying("w10"));
        assertThatThrownBy(() -> ring.of(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no key of worker 3");
        assertThat(KeyRing.OPEN.knows(3)).isTrue();
        assertThat(KeyRing.OPEN.of(3)).isNull();
    }

    @Test
    void noWorkersAreASentence() throws IOException {
        assertThatThrownBy(keys::workers)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(keys.path() + ": there is no such directory");
        keys.generate("job");
        assertThatThrownBy(keys::workers)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(keys.path() + ": holds no worker's public key, such as w0.pub");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "w",
                "3",
                "w-1",
                "w03",
                "W3",
                "w1234567890",
                "w3 ",
                "../w3",
                "w٣",
                "boss"
            })
    void namesAreStrict(String name) {
        assertThatThrownBy(() -> keys.generate(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a worker is called w and its number, such as w3; got " + name);
        assertThat(keys.path()).doesNotExist();
    }

    @Test
    void aNameIsANumber() {
        assertThat(KeyDirectory.worker(KeyDirectory.name(0))).isZero();
        assertThat(KeyDirectory.worker("w999999999")).isEqualTo(999_999_999);
    }

    private void wrong(String content, String sentence) throws IOException {
        Files.createDirectories(keys.path());
        Files.writeString(keys.publicFile("w0"), content, StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> keys.verifying("w0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(keys.publicFile("w0") + ": " + sentence);
    }

    @Test
    void aWrongFileIsASentence() throws IOException {
        String notPem = "not a public key in PEM, which begins with -----BEGIN PUBLIC KEY-----";
        assertThatThrownBy(() -> keys.verifying("w0"))
                .hasMessage(keys.publicFile("w0") + ": there is no such file");
        wrong("", notPem);
        wrong("\u00ff\u0000\u00fe", notPem);
        wrong("-----BEGIN PUBLIC KEY-----\nMCow", notPem);
        wrong("-----BEGIN PUBLIC KEY-----END PUBLIC KEY-----", notPem);
        wrong("-----END PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----", notPem);
        wrong("-----BEGIN PRIVATE KEY-----\nMCow\n-----END PRIVATE KEY-----\n", notPem);
        wrong("x".repeat(1_000_000), notPem);
        wrong(
                "-----BEGIN PUBLIC KEY-----\n!!\n-----END PUBLIC KEY-----\n",
                "not a public key: its content is not base64");
        wrong(
                "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n",
                "not an Ed25519 public key");
        wrong("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", "not an Ed25519 public key");
        Files.delete(keys.publicFile("w0"));
        Files.createDirectory(keys.publicFile("w0"));
        assertThatThrownBy(() -> keys.verifying("w0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(keys.publicFile("w0") + ": cannot be read: ");
    }

    @Test
    void aSpoiltPrivateKeyIsASentence() throws IOException {
        keys.generate("w0");
        byte[] good = Files.readAllBytes(keys.secretFile("w0"));
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            Files.write(keys.secretFile("w0"), bad);
            try {
                keys.signing("w0").sign(MESSAGE);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith(keys.secretFile("w0") + ": ");
            }
        }
    }

    @Test
    void windowsLineEndsAndTextAroundAreFine() throws IOException {
        keys.generate("w0");
        String pem = Files.readString(keys.publicFile("w0"));
        VerifyingKey key = keys.verifying("w0");
        Files.writeString(keys.publicFile("w0"), "worker 0\r\n" + pem.replace("\n", "\r\n"));
        assertThat(keys.verifying("w0")).isEqualTo(key);
    }

    @Test
    void openSslReadsAndWritesTheSame() throws Exception {
        assumeThat(works("openssl", "genpkey", "-algorithm", "ed25519", "-out", "/dev/null"))
                .as("openssl with Ed25519")
                .isTrue();
        keys.generate("w0");
        String ours = keys.secretFile("w0").toString();
        Path derived = keys.path().resolve("derived");
        assertThat(works("openssl", "pkey", "-in", ours, "-pubout", "-out", derived.toString()))
                .isTrue();
        assertThat(derived).hasSameTextualContentAs(keys.publicFile("w0"));
        String theirs = keys.secretFile("w1").toString();
        String open = keys.publicFile("w1").toString();
        assertThat(works("openssl", "genpkey", "-algorithm", "ed25519", "-out", theirs)).isTrue();
        assertThat(works("openssl", "pkey", "-in", theirs, "-pubout", "-out", open)).isTrue();
        assertThat(fit(keys.signing("w1"), keys.verifying("w1"))).isTrue();
    }

    private static boolean works(String... command) throws InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException e) {
            return false;
        }
        try {
            return process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}
