package dev.levee.jobs.internal.finetune;

import dev.levee.learners.layers.LayerList;

import java.nio.file.Path;

/** The value of {@code --network}. */
public final class NetworkOption {
    private static final String FILE = "file:";

    private NetworkOption() {}

    /**
     * Returns the name with which {@link dev.levee.learners.layers.LayeredNetwork} finds the
     * network. A file of layers is read here, because the storage tier does not have it.
     *
     * @throws IllegalArgumentException if the file does not exist or defines no layers; one
     *     sentence
     */
    public static String name(String option) {
        return option.startsWith(FILE)
                ? LayerList.read(Path.of(option.substring(FILE.length()))).name()
                : option;
    }
}
