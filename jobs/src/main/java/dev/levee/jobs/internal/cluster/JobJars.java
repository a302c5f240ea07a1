package dev.levee.jobs.internal.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The jars that a job brings to a cluster. A cluster that has the job jar on its own class path
 * says so in an option of its configuration, and does not get it again with each job.
 */
public final class JobJars {
    /** The option; its value is {@link #sha256} of the job jar that the cluster has. */
    public static final String OPTION = "levee.job-jar";

    private JobJars() {}

    /**
     * The jars for the cluster at an address. One that has another build of Levee gets this one,
     * whose classes Flink then prefers to its own.
     *
     * @throws IOException if the cluster does not answer
     */
    public static List<Path> of(URI cluster) throws IOException {
        Home home = Home.find();
        List<Path> all = home.jobJars();
        Optional<String> there = at(cluster);
        return there.isPresent() && there.get().equals(sha256(home.jobJar()))
                ? all.subList(1, all.size())
                : all;
    }

    /**
     * SHA-256 of the job jar that the cluster at an address has, if it has one.
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

    /** SHA-256 of a file's bytes, 64 hexadecimal digits. */
    public static String sha256(Path file) throws IOException {
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
