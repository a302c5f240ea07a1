package dev.levee.jobs.internal.cli;

import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.jobs.internal.finetune.NetworkOption;
import dev.levee.learners.layers.LayeredNetwork;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** A command about the layers of a network, which can write its results to files. */
abstract class NetworkCommand extends CliCommand implements Callable<Integer> {
    private static final int MICRO_BATCH = 4;
    private static final int PASSES = 3;

    @Option(
            names = "--image-size",
            paramLabel = "PIXELS",
            description = "Height and width of the network's input (default: ${DEFAULT-VALUE}).")
    int imageSize = 224;

    @Option(
            names = "--classes",
            paramLabel = "N",
            description = "Classes of the network's last layer (default: ${DEFAULT-VALUE}).")
    int classes = 1000;

    @Option(
            names = "--layer-times",
            paramLabel = "MS",
            split = ",",
            description =
                    "Time of each layer for one image in milliseconds, separated by commas, "
                            + "instead of measuring it.")
    List<Double> layerTimes;

    /** The network of {@code --network} for pictures of {@code --image-size}. */
    final LayeredNetwork network(String name) {
        return option(
                "--network " + name + " --image-size " + imageSize + ":",
                () -> {
                    int[] shape = {3, imageSize, imageSize};
                    return LayeredNetwork.open(NetworkOption.name(name), shape, classes);
                });
    }

    /** Measures the layers on this machine, and the time to decode an image. */
    static ComputeTimes measured(LayeredNetwork network) {
        return Profiler.measure(network, MICRO_BATCH, PASSES);
    }

    /** Checks that a file can be written; does nothing for null. */
    final void inFolder(String option, Path file) {
        if (file != null && !Files.isDirectory(file.toAbsolutePath().getParent())) {
            throw wrong(option + " " + file + " must be a file in a folder that exists");
        }
    }

    final void write(String option, Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw wrong(
                    "%s %s cannot be written: %s"
                            .formatted(option, file, e.getClass().getSimpleName()));
        }
    }

    /** Reads the value of an option. Error messages start with the option's name. */
    final <T> T option(String option, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw wrong(option + " " + e.getMessage());
        }
    }
}
