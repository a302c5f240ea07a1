package dev.levee.benchmarks.extraction;

import dev.levee.jobs.internal.finetune.DigitPhotos;

import java.nio.file.Path;

/** Draws photographs of the ten digits, a folder each, for the scripts beside this. */
public final class Photographs {
    private static final int GRAIN = 40;

    private Photographs() {}

    /** Takes a folder, how many in all, and the pixels of their sides. */
    public static void main(String[] args) throws Exception {
        new DigitPhotos(0, 9, Integer.parseInt(args[1]), Integer.parseInt(args[2]), GRAIN)
                .draw(Path.of(args[0]));
    }
}
