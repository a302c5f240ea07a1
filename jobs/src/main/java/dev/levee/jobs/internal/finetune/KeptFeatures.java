package dev.levee.jobs.internal.finetune;

import dev.levee.jobs.internal.config.FinetuneConfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The features in a run's output folder, and the key that says of what they are. */
public final class KeptFeatures {
    /** Bytes of the training besides an image's features: its label, and an array's header. */
    private static final int BESIDE_AN_IMAGE = 32;

    /** Suggested heap per byte. Java counts only a part of -Xmx, depending on its collector. */
    private static final double SUGGESTED = 2.5;

    private final FinetuneConfig config;
    private final ExtractionPlan plan;
    private final Path file;
    private final Path key;

    /**
     * @param plan the features that the run needs
     */
    KeptFeatures(FinetuneConfig config, ExtractionPlan plan) {
        this.config = config;
        this.plan = plan;
        file = config.folder().resolve("features.npz");
        key = config.folder().resolve("features.key");
    }

    /** The file of the features. */
    public Path file() {
        return file;
    }

    /**
     * True if features of an earlier run exist and may be used.
     *
     * @throws IllegalStateException if too many of their images could not be decoded; one sentence
     */
    public boolean usable() throws IOException {
        if (config.baseline()
                || config.keptBytes() == 0
                || !Files.exists(file)
                || !Files.exists(key)) {
            return false;
        }
        String[] words = Files.readString(key).split("\\s+");
        if (!words[0].equals(plan.key())) {
            return false;
        }
        if (words.length > 1) { // versions before 2026-11-30 stored only the key
            checkBad(Integer.parseInt(words[1]));
        }
        return true;
    }

    /**
     * Creates the folder, and a file in it to see that this works.
     *
     * @throws IllegalStateException if there is a file in its place; one sentence
     */
    void requireWritable() throws IOException {
        Path folder = config.folder();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IllegalStateException("--output " + folder + " is not a directory");
        }
        if (!Files.exists(folder)) { // Java 17 refuses a link to a directory
            Files.createDirectories(folder);
        }
        Files.delete(Files.createTempFile(folder, ".features", ".npz"));
    }

    /**
     * Requires that the features of all views fit into half of the heap: this process holds them
     * until they are written, and the training reads no more than that.
     *
     * @throws IllegalStateException if they do not; one sentence
     */
    void requireRoom(long heap) {
        double images = plan.folder().images() * (1.0 + plan.views());
        double each = plan.network().bytes(plan.head()) + BESIDE_AN_IMAGE;
        double bytes = images * each * (config.baseline() ? 2 : 1);
        if (bytes > heap / 2) {
            throw new IllegalStateException(
                    "the features of %.0f images%s need %.0f MiB, more than half of the heap of %d MiB: set LEVEE_JAVA_OPTS=-Xmx%.0fm, or use fewer images"
                            .formatted(
                                    images,
                                    config.baseline() ? " (twice, for --baseline)" : "",
                                    Math.ceil(bytes / (1 << 20)),
                                    heap >> 20,
                                    Math.ceil(SUGGESTED * bytes / (1 << 20))));
        }
    }

    /**
     * Writes features for the training and for the next run.
     *
     * @throws IllegalStateException if too many images cannot be decoded; one sentence
     */
    public void keep(ExtractionResult result) throws IOException {
        int bad = result.features().bad().size();
        if (config.keptBytes() == 0) {
            checkBad(bad);
        }
        requireWritable();
        // Otherwise a kill during writing would leave damaged features with an earlier key.
        Files.deleteIfExists(key);
        if (config.augment() == 0) {
            result.features().write(file);
        } else {
            result.features().write(file, 1 + config.augment(), config.seed());
        }
        Files.writeString(key, plan.key() + " " + bad);
        checkBad(bad); // with a higher limit, the next run uses these features
    }

    private void checkBad(int bad) {
        if (bad > config.maxBadImages()) {
            throw new IllegalStateException(
                    "%d images cannot be decoded, more than --max-bad-images %d"
                            .formatted(bad, config.maxBadImages()));
        }
    }

    /**
     * Deletes the features after the training unless they are to be kept for the next run.
     *
     * @param say receives a sentence if the features are larger than allowed
     */
    public void tidy(Consumer<String> say) throws IOException {
        long most = config.keptBytes();
        long bytes = Files.size(file);
        if (bytes <= most) {
            return;
        }
        Files.delete(key);
        Files.delete(file);
        if (most > 0) {
            say.accept(
                    "Features of %d bytes are not kept: --keep-features is %s"
                            .formatted(bytes, config.keepFeatures()));
        }
    }
}
