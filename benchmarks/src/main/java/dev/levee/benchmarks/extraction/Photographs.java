package dev.levee.benchmarks.extraction;

import dev.levee.jobs.internal.finetune.DigitPhotos;

import java.nio.file.Path;

/** Draws photographs of the ten digits, in a folder for each, for the benchmark scripts. */
public final class Photographs {
    private static final int GRAIN = 40;

    private Photographs() {}

    /**
     * Arguments: a folder, the total number of photographs, and their height and width in pixels.
     */
    public static void main(String[] args) throws Exception {
        new DigitPhotos(0, 9, Integer.parseInt(args[1]), Integer.parseInt(args[2]), GRAIN)
                .draw(Path.of(args[0]));
    }
}
