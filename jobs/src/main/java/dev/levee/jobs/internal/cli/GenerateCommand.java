package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.markup.ImageGrid;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Model;
import dev.levee.learners.Models;

import org.apache.flink.core.fs.Path;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;

/** Generates images with a generator that a run has trained. */
@Command(
        name = "generate",
        description = "Write a picture of images from a trained generator.",
        footer = {
            "",
            "Image i of a seed does not depend on --count.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        },
        abbreviateSynopsis = true)
final class GenerateCommand extends CliCommand implements Callable<Integer> {
    private static final int MOST = 10_000;

    @Parameters(
            paramLabel = "RUN",
            description = "The --output directory of levee federate --gan, or its model.npz.")
    private String run;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Number of images (default: ${DEFAULT-VALUE}).")
    private int count = 64;

    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "Images per row (default: a square picture).")
    private Integer columns;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the noise (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "PNG file to write (default: ${DEFAULT-VALUE}).")
    private String out = "images.png";

    @Override
    public Integer call() throws IOException {
        if (count < 1 || count > MOST) {
            throw misused("--count must be from 1 to %d, got %d".formatted(MOST, count));
        }
        int width = columns == null ? (int) Math.ceil(Math.sqrt(count)) : columns;
        if (width < 1) {
            throw misused("--columns must be at least 1, got " + width);
        }
        java.nio.file.Path file = java.nio.file.Path.of(out).toAbsolutePath();
        if (Files.isDirectory(file) || !Files.isDirectory(file.getParent())) {
            throw misused("--out must be a file in a directory that exists, got " + out);
        }
        Path path = new Path(OutputLayout.absolute(run));
        boolean npz = path.getName().endsWith(".npz");
        RunFiles files = new RunFiles((npz ? path.getParent() : path).toString());
        GenerativeModel model;
        float[] parameters;
        try {
            Summary summary =
                    files.summary()
                            .orElseThrow(
                                    () ->
                                            misused(
                                                    "there is no summary.json in "
                                                            + (npz ? path.getParent() : path)
                                                                    .getPath()
                                                            + ": RUN must be the --output of a finished run"));
            model = open(summary);
            parameters = RunFiles.readModel(npz ? path : files.model(), model.layout());
        } catch (IllegalArgumentException e) {
            throw misused(e.getMessage());
        } catch (FileNotFoundException e) {
            throw misused((npz ? path : files.model()).getPath() + " does not exist");
        }
        float[] images = model.generate(parameters, count, seed);
        Files.write(file, ImageGrid.png(images, count, model.image(), width));
        out().printf("%d images of %s: %s%n", count, model.name(), out);
        return 0;
    }

    /** Opens the run's model; its data set gives the shape of the images. */
    private GenerativeModel open(Summary summary) {
        String name = String.valueOf(summary.configuration().get("model"));
        String uri = String.valueOf(summary.configuration().get("dataset"));
        Dataset data = Datasets.open(uri, Datasets.Split.TEST);
        Model model = Models.open(name, data.shape(), data.classes());
        if (model instanceof GenerativeModel generative) {
            return generative;
        }
        throw new IllegalArgumentException(
                ("%s is a run of %s, which generates no images: RUN must be a run of levee "
                                + "federate --gan")
                        .formatted(run, name));
    }
}
