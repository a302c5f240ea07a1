package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.packed.Packer;
import dev.levee.jobs.cluster.LocalStore;
import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.config.setting.GivenSetting;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The demo of {@code levee finetune}: a network is pre-trained on the digits 0 to 4 and fine-tuned
 * for large photographs of the digits 5 to 9.
 */
public final class DigitsDemo {
    /** The data set for fine-tuning. */
    private static final String DATASET = "s3a://levee/digits-5-to-9";

    /** Options that the demo accepts. */
    public static final List<String> OPTIONS =
            List.of("bandwidth", "split", "split-rule", "storage-slots", "output");

    private static final Map<String, String> TRAINING =
            Map.of(
                    "--workers", "2",
                    "--rounds", "150",
                    "--batch-size", "20",
                    "--learning-rate", "0.05");

    private static final String NETWORK = "cifarnet";
    private static final int SIDE = 32;
    private static final int PER_OBJECT = 40;

    private static final String PRETRAINED = "digits-0-to-4";

    private DigitsDemo() {}

    /**
     * Draws and packs the images into a server's bucket, and prepares this process to read from it.
     */
    public static void prepare(LocalStore store) throws IOException {
        ObjectStores.prepare(store);
        store.bucket("levee");
        java.nio.file.Path drawn = Files.createTempDirectory("levee-digits-");
        try {
            pack(
                    new DigitPhotos(0, 4, 1000, SIDE, 20),
                    drawn.resolve("first"),
                    "s3a://levee/" + PRETRAINED);
            pack(new DigitPhotos(5, 9, 240, 448, 40), drawn.resolve("second"), DATASET);
        } finally {
            DigitPhotos.delete(drawn);
        }
    }

    private static void pack(DigitPhotos photos, java.nio.file.Path folder, String to)
            throws IOException {
        photos.draw(folder);
        new Packer(PER_OBJECT, 1).pack(new Path("file", null, folder.toString()), new Path(to));
    }

    /** The command line that pre-trains the network and writes its weights to a folder. */
    public static List<String> pretraining(java.nio.file.Path folder) {
        String data = "packed:s3a://levee/%s?size=%d".formatted(PRETRAINED, SIDE);
        return List.of(
                "train",
                "--dataset",
                data,
                "--model",
                NETWORK,
                "--workers",
                "2",
                "--byzantine",
                "0",
                "--attack",
                "none",
                "--aggregator",
                "average",
                "--rounds",
                "60",
                "--batch-size",
                "16",
                "--learning-rate",
                "0.05",
                "--output",
                folder.toString(),
                "--overwrite");
    }

    /**
     * The demo's default options.
     *
     * @param pretrained the folder to which {@link #pretraining} wrote the weights
     */
    public static Map<String, GivenSetting> options(java.nio.file.Path pretrained) {
        Map<String, String> values =
                Map.of(
                        "dataset",
                        DATASET,
                        "network",
                        NETWORK,
                        "image-size",
                        String.valueOf(SIDE),
                        "scaling",
                        "unit",
                        "weights",
                        pretrained.resolve("model.npz").toString(),
                        "baseline",
                        "true",
                        "bandwidth",
                        "50M",
                        "images-per-request",
                        String.valueOf(PER_OBJECT));
        Map<String, GivenSetting> given = new HashMap<>();
        values.forEach(
                (name, value) -> given.put(name, new GivenSetting(List.of(value), "--" + name)));
        return given;
    }

    /**
     * The options for training the last layers.
     *
     * @param given the user's options
     */
    public static List<String> training(List<String> given) {
        List<String> all = FinetuneRun.completed(given, TRAINING);
        if (!all.contains("--overwrite")) {
            all.add("--overwrite");
        }
        return all;
    }
}
