package dev.levee.jobs.internal.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chooses the jars that are submitted with a job. A cluster that has the job jar on its own class
 * path declares it in a configuration option, and does not receive the jar with each job.
 */
public final class JobJars {
    /** The option's name. Its value is {@link #sha256} of the cluster's job jar. */
    public static final String OPTION = "levee.job-jar";

    private static final Map<Version, String> KNOWN = new ConcurrentHashMap<>();

    /** Identifies the contents of a file by its date and size. */
    private record Version(Path file, FileTime modified, long size) {}

    private JobJars() {}

    /**
     * Returns the jars for the cluster at an address. A cluster with another build of Levee
     * receives the jars of this build, and Flink prefers their classes to the cluster's.
     *
     * @throws IOException if the cluster does not answer
     */
    public static List<Path> of(URI cluster) throws IOException {
        LeveeHome home = LeveeHome.find();
        List<Path> all = home.jobJars();
        Optional<String> there = at(cluster);
        return there.isPresent() && there.get().equals(sha256(home.jobJar()))
                ? all.subList(1, all.size())
                : all;
    }

    /**
     * Returns the SHA-256 of the job jar that the cluster at an address has, if any.
     *
     * @throws IOException if the cluster does not answer
     */
    public static Optional<String> at(URI cluster) throws IOException {
        for (JsonNode each : new FlinkRest(cluster).get("/jobmanager/config")) {
            if (each.path("key").asText().equals(OPTION)) {
                return Optional.of(each.path("value").asText());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the SHA-256 of a file's bytes, as 64 hexadecimal digits. It is computed again only if
     * the file's date or size has changed: hashing a job jar takes a tenth of a second, and half a
     * second or more in code that is not compiled yet.
     */
    public static String sha256(Path file) throws IOException {
        Version version =
                new Version(file.toRealPath(), Files.getLastModifiedTime(file), Files.size(file));
        String known = KNOWN.get(version);
        if (known == null) {
            known = compute(file);
            KNOWN.put(version, known);
        }
        return known;
    }

    private static String compute(Path file) throws IOException {
        try (InputStream in =
                new DigestInputStream(
                        Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(((DigestInputStream) in).getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
