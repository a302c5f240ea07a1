package dev.levee.jobs.internal.audit;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;

/**
 * The Ed25519 key pair of a log of rounds. Anyone who has the private key can forge a log.
 *
 * @param secret signs lines of the log
 * @param open verifies lines of the log
 */
public record AuditKey(SigningKey secret, VerifyingKey open) implements Serializable {
    /** The value of {@code --audit} that generates keys for the run. */
    public static final String NEW = "new";

    /**
     * Returns the keys that an option asks for.
     *
     * @param option {@link #NEW}, or a directory with {@code job.key} and {@code job.pub}; null for
     *     none
     * @return null for none
     * @throws IllegalArgumentException if the directory holds no such pair; one sentence
     */
    public static AuditKey of(String option) {
        if (option == null) {
            return null;
        }
        return option.equals(NEW) ? generate() : in(Path.of(option));
    }

    /** Generates a new key pair. */
    static AuditKey generate() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            return new AuditKey(
                    new SigningKey(pair.getPrivate().getEncoded()),
                    new VerifyingKey(pair.getPublic().getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK from 15 on has it
        }
    }

    private static AuditKey in(Path directory) {
        KeyDirectory keys = new KeyDirectory(directory);
        try {
            AuditKey key =
                    new AuditKey(keys.signing(KeyDirectory.JOB), keys.verifying(KeyDirectory.JOB));
            byte[] probe = {1};
            if (!key.open.verifies(probe, key.secret.sign(probe))) {
                throw new IllegalArgumentException(
                        directory + ": job.key and job.pub are not a pair");
            }
            return key;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--audit " + e.getMessage(), e);
        }
    }

    /** Returns the bytes that a checkpoint stores. */
    byte[] encoded() {
        byte[] first = secret.encoded();
        byte[] second = open.encoded();
        return ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array();
    }

    /** Reads the bytes that {@link #encoded} wrote. */
    static AuditKey decoded(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        byte[] first = new byte[buffer.getInt()];
        buffer.get(first);
        byte[] second = new byte[buffer.remaining()];
        buffer.get(second);
        return new AuditKey(new SigningKey(first), new VerifyingKey(second));
    }

    /** Leaves the private key out, so that no log shows it. */
    @Override
    public String toString() {
        return "audit key " + open.fingerprint();
    }
}
