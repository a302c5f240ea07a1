package dev.levee.jobs.internal.finetune;

import dev.levee.learners.layers.LayerList;

import java.nio.file.Path;

/** The value of {@code --network}. */
public final class NetworkOption {
    private static final String FILE = "file:";

    private NetworkOption() {}

    /**
     * The name by which {@link dev.levee.learners.layers.LayeredNetwork} knows it: a file of layers
     * is read here, for the storage tier does not have it.
     *
     * @throws IllegalArgumentException if there is no such file or it has other things; one
     *     sentence
     */
    public static String name(String option) {
        return option.startsWith(FILE)
                ? LayerList.read(Path.of(option.substring(FILE.length()))).name()
                : option;
    }
}
