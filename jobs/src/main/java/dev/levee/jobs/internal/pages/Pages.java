package dev.levee.jobs.internal.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The pages under docs/reference/ that are packed with the command line. */
public enum Pages {
    /** One page per rule. */
    RULES("rules"),
    /** One page per pre-aggregation. */
    PRE_AGGREGATIONS("pre-aggregations"),
    /** One page per attack. */
    ATTACKS("attacks");

    private final String folder;

    Pages(String folder) {
        this.folder = folder;
    }

    /** The page about a name, empty if there is none, such as for plug-ins. */
    public Optional<Page> of(String name) {
        String resource = "/dev/levee/docs/" + folder + "/" + name + ".md";
        try (InputStream in = Pages.class.getResourceAsStream(resource)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(
                            Page.of(name, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the page about " + name, e);
        }
    }
}
