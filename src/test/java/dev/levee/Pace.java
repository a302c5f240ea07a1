package dev.levee;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The pace of a run on a {@link PacedModels paced model}, which a test sets while it runs. */
public final class Pace {
    private final Path file;

    /** At full speed to begin with. */
    public Pace(Path file) throws IOException {
        this.file = file;
        millisecondsPerGradient(0);
    }

    /** What {@code --model} says. */
    public String model() {
        return "paced:" + file;
    }

    /** So slowly that a run of sixty rounds lasts for more than a minute. */
    public void slow() throws IOException {
        millisecondsPerGradient(500);
    }

    /** Not at all until told otherwise; checkpoints wait for gradients inside the job. */
    public void hold() throws IOException {
        millisecondsPerGradient(Integer.MAX_VALUE);
    }

    /** As fast as it can. */
    public void goOn() throws IOException {
        millisecondsPerGradient(0);
    }

    public void millisecondsPerGradient(int millis) throws IOException {
        // Readers see the old number or the new one.
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, String.valueOf(millis));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
