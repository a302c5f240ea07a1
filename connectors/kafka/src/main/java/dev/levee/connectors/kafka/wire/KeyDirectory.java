package dev.levee.connectors.kafka.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory of keys in PEM, as OpenSSL writes them too: {@code job.key} and {@code job.pub} of
 * the job, {@code w3.key} and {@code w3.pub} of worker 3, {@code s1.key} and {@code s1.pub} of
 * server 1 of several. Anyone who has a {@code .key} file can sign as its owner; the {@code .pub}
 * files are public.
 *
 * @param path the directory
 */
public record KeyDirectory(Path path) {
    /** Name of the job's keys. */
    public static final String JOB = "job";

    private static final Pattern WORKER = Pattern.compile("w(0|[1-9]\\d{0,8})");
    private static final Pattern SERVER = Pattern.compile("s(0|[1-9]\\d{0,8})");
    private static final String PUBLIC = ".pub";
    private static final int LINE = 64;
    private static final int LONGEST = 16_384;

    /**
     * Number of the worker with a name such as {@code w3}.
     *
     * @throws IllegalArgumentException if it is not the name of a worker; one sentence
     */
    public static int worker(String name) {
        Matcher matcher = WORKER.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a worker is called w and its number, such as w3; got " + name);
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Name of a worker, such as {@code w3}. */
    public static String name(int worker) {
        return "w" + worker;
    }

    /**
     * Number of the server with a name such as {@code s1}.
     *
     * @throws IllegalArgumentException if it is not the name of a server; one sentence
     */
    public static int server(String name) {
        Matcher matcher = SERVER.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a server is called s and its number, such as s1; got " + name);
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** Name of a server, such as {@code s1}. */
    public static String serverName(int server) {
        return "s" + server;
    }

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if keys cannot have this name; one sentence
     */
    public static void check(String name) {
        if (!name.equals(JOB) && !SERVER.matcher(name).matches()) {
            worker(name);
        }
    }

    /**
     * Generates a pair of keys and writes both files; only the file's owner may read the private
     * key.
     *
     * @param name {@link #JOB} or the name of a worker or of a server
     * @throws FileAlreadyExistsException if a private or public key of that name exists, because it
     *     may be in use
     */
    public void generate(String name) throws IOException {
        check(name);
        if (Files.exists(publicFile(name))) {
            throw new FileAlreadyExistsException(publicFile(name).toString());
        }
        KeyPair pair;
        try {
            pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        if (!Files.isDirectory(path)) { // true for links, too
            Files.createDirectories(path);
        }
        Path secret = secretFile(name);
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.createFile(
                    secret,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(secret);
        }
        Files.writeString(secret, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        Files.writeString(
                publicFile(name),
                pem("PUBLIC KEY", pair.getPublic().getEncoded()),
                StandardOpenOption.CREATE_NEW);
    }

    /** The path of a private key. */
    public Path secretFile(String name) {
        return path.resolve(name + ".key");
    }

    /** The path of a public key. */
    public Path publicFile(String name) {
        return path.resolve(name + PUBLIC);
    }

    /**
     * Reads the private key of a name.
     *
     * @throws IllegalArgumentException if the file is missing or not a private key; one sentence
     */
    public SigningKey signing(String name) {
        Path file = secretFile(name);
        try {
            return new SigningKey(read(file, "PRIVATE KEY"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the public key of a name.
     *
     * @throws IllegalArgumentException if the file is missing or not a public key; one sentence
     */
    public VerifyingKey verifying(String name) {
        Path file = publicFile(name);
        try {
            return new VerifyingKey(read(file, "PUBLIC KEY"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the public keys of all workers in this directory.
     *
     * @throws IllegalArgumentException if there are none, or a file is not a public key; one
     *     sentence
     */
    public KeyRing workers() {
        TreeMap<Integer, VerifyingKey> keys = new TreeMap<>();
        for (String name : names()) {
            if (WORKER.matcher(name).matches()) {
                keys.put(worker(name), verifying(name));
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    path + ": holds no worker's public key, such as w0.pub");
        }
        return new KeyRing(keys);
    }

    /**
     * Names of the owners of public keys: the job, then servers by number, then workers by number.
     *
     * @throws IllegalArgumentException if the directory cannot be read; one sentence
     */
    public List<String> names() {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(PUBLIC))
                    .map(file -> file.substring(0, file.length() - PUBLIC.length()))
                    .filter(
                            name ->
                                    name.equals(JOB)
                                            || SERVER.matcher(name).matches()
                                            || WORKER.matcher(name).matches())
                    .sorted(
                            Comparator.comparing((String name) -> name.substring(0, 1))
                                    .thenComparing(String::length)
                                    .thenComparing(Comparator.naturalOrder()))
                    .toList();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(path + ": there is no such directory", e);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException(path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static String pem(String type, byte[] encoded) {
        Base64.Encoder encoder =
                Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                .formatted(type, encoder.encodeToString(encoded));
    }

    private static byte[] read(Path file, String type) {
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            // A key has some hundred bytes. Every byte is valid Latin-1, so a wrong file fails the
            // check of its content, not its decoding.
            text = new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException("may not be read", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
        String begin = "-----BEGIN " + type + "-----";
        String end = "-----END " + type + "-----";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end, from);
        if (from < begin.length() || to < 0) {
            throw new IllegalArgumentException(
                    "not a %s in PEM, which begins with %s"
                            .formatted(type.toLowerCase(Locale.ROOT), begin));
        }
        try {
            return Base64.getDecoder().decode(text.substring(from, to).replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not a " + type.toLowerCase(Locale.ROOT) + ": its content is not base64", e);
        }
    }
}
