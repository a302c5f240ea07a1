package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.federated.images.ImageScore;
import dev.levee.federated.images.ImageScorer;
import dev.levee.jobs.internal.report.markup.ImageGrid;
import dev.levee.jobs.internal.report.summary.ImagesSummary;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.GenerativeModel;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Manages the folder {@value #FOLDER} of a run that trains a generator. For each evaluated round it
 * has a picture, {@code round-NNNNNN.png}, and a score, {@code round-NNNNNN.json}. Files appear
 * during the run. If a round is evaluated again, its files are replaced by equal ones.
 */
final class GeneratedImages {
    static final String FOLDER = "generated";

    private static final int COLUMNS = 8;
    private static final int SHOWN = COLUMNS * COLUMNS;
    private static final String NAME = "round-%06d";
    private static final int PICTURES = 8;
    private static final String SCORE = ".json";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The seed of all images, so that the images of two rounds can be compared one by one. */
    private static final long SEED = 1;

    private final RunFiles files;

    /** Opens the folder of a run whose directory is an absolute URI. */
    GeneratedImages(String directory) {
        files = new RunFiles(directory + "/" + FOLDER);
    }

    /** Writes a round's picture, then its score. */
    void write(GenerativeModel model, long round, float[] parameters, ImageScorer scorer)
            throws IOException {
        float[] images = model.generate(parameters, ImageScorer.SAMPLES, SEED);
        int pixels = images.length / ImageScorer.SAMPLES;
        String name = NAME.formatted(round);
        files.writeBytes(
                name + ".png",
                ImageGrid.png(
                        Arrays.copyOf(images, SHOWN * pixels), SHOWN, model.image(), COLUMNS));
        ImageScore score = scorer.score(images, ImageScorer.SAMPLES);
        ImagesSummary.Scored scored =
                new ImagesSummary.Scored(
                        round,
                        scorer.network(),
                        scorer.accuracy(),
                        ImageScorer.SAMPLES,
                        Summary.finite(score.frechet()),
                        score.coverage(),
                        score.byClass());
        files.writeText(name + SCORE, JSON.writeValueAsString(scored) + "\n");
    }

    /**
     * The scores of all rounds, in order.
     *
     * @throws IllegalArgumentException if a file is no such score; one sentence
     */
    List<ImagesSummary.Scored> scores() throws IOException {
        List<ImagesSummary.Scored> scores = new ArrayList<>();
        FileSystem system = files.path("").getFileSystem();
        if (system.exists(files.path(""))) {
            for (FileStatus entry : system.listStatus(files.path(""))) {
                String name = entry.getPath().getName();
                if (name.startsWith("round-") && name.endsWith(SCORE)) {
                    scores.add(score(name));
                }
            }
        }
        scores.sort(Comparator.comparingLong(ImagesSummary.Scored::round));
        return scores;
    }

    private ImagesSummary.Scored score(String name) throws IOException {
        try {
            return JSON.readValue(
                    new String(bytes(name), StandardCharsets.UTF_8), ImagesSummary.Scored.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    files.path(name).getPath() + " is damaged or was not written by Levee", e);
        }
    }

    /**
     * Returns the pictures of at most {@value #PICTURES} rounds by number. They are evenly spread
     * and include the last round.
     */
    Map<Long, byte[]> some(List<Long> rounds) throws IOException {
        Map<Long, byte[]> pictures = new TreeMap<>();
        int count = Math.min(PICTURES, rounds.size());
        for (int i = 1; i <= count; i++) {
            long round = rounds.get(i * rounds.size() / count - 1);
            pictures.put(round, bytes(NAME.formatted(round) + ".png"));
        }
        return pictures;
    }

    private byte[] bytes(String name) throws IOException {
        Path path = files.path(name);
        try (InputStream in = path.getFileSystem().open(path)) {
            return in.readAllBytes();
        }
    }

    /** Deletes the images of an earlier run in this directory. */
    void delete() throws IOException {
        Path folder = files.path("");
        try {
            folder.getFileSystem().delete(folder, true);
        } catch (FileNotFoundException e) {
            // Some file systems report a missing folder this way.
            return;
        }
    }
}
