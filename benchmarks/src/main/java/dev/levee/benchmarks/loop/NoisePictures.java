package dev.levee.benchmarks.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Writes CIFAR-10 files of noise; the content does not affect the time. */
public final class NoisePictures implements AutoCloseable {
    private static final int PICTURE = 3073;
    private static final List<String> FILES =
            List.of(
                    "data_batch_1.bin",
                    "data_batch_2.bin",
                    "data_batch_3.bin",
                    "data_batch_4.bin",
                    "data_batch_5.bin",
                    "test_batch.bin");

    private final Path folder;

    public NoisePictures() throws IOException {
        folder = Files.createTempDirectory("levee-pictures-");
        Random random = new Random(1);
        for (String name : FILES) {
            byte[] pictures = new byte[200 * PICTURE];
            random.nextBytes(pictures);
            for (int at = 0; at < pictures.length; at += PICTURE) {
                pictures[at] = (byte) (at % 10);
            }
            Files.write(folder.resolve(name), pictures);
        }
    }

    /** The URI of the data set. */
    public String uri() {
        return "cifar10:" + folder;
    }

    @Override
    public void close() throws IOException {
        for (String name : FILES) {
            Files.delete(folder.resolve(name));
        }
        Files.delete(folder);
    }
}
