package dev.levee.benchmarks.extraction;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.extract.Encoding;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.jobs.cluster.LocalStore;
import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.finetune.DigitPhotos;
import dev.levee.jobs.internal.finetune.ExtractionResult;
import dev.levee.jobs.internal.finetune.Extractions;
import dev.levee.jobs.internal.finetune.FinetuneRun;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Compares fine-tuning on large stored photographs with and without a split. The baseline reads all
 * photographs from S3 over the link and extracts features here; the other run splits the network by
 * the cost rule. Both alternate in one process, at 50 Mbit/s and at full speed. The S3 server and
 * the slow link are separate processes.
 */
public final class Finetune {
    private static final int IMAGES = 200;
    private static final int PER_OBJECT = 10;
    private static final DigitPhotos PHOTOS = new DigitPhotos(0, 9, IMAGES, 1536, 40);
    private static final String DATASET = "s3a://levee/photographs";

    /** Photographs as large as an average image of ImageNet, 136 kB. */
    private static final DigitPhotos SMALL_PHOTOS = new DigitPhotos(0, 9, 40, 434, 40);

    private static final String SMALL_DATASET = "s3a://levee/pictures";
    private static final String SLOW = "50M";
    private static final int EPOCHS = 5;
    private static final int ABUNDANT_TURNS = 3;
    private static final int BATCH = 20;
    private static final int STORAGE_SLOTS = 2;

    private final java.nio.file.Path output;

    private Finetune(java.nio.file.Path output) {
        this.output = output;
    }

    /** Arguments: names of networks (resnet18 densenet121). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        java.nio.file.Path folder = Files.createTempDirectory("levee-finetune-");
        try (LocalStore store = LocalStore.start(folder.resolve("store"), 0)) {
            ObjectStores.prepare(store);
            store.bucket("levee");
            List<String> networks =
                    args.length > 0 ? Arrays.asList(args) : List.of("resnet18", "densenet121");
            Finetune runs = new Finetune(folder.resolve("output"));
            PackedFolder small = pack(SMALL_PHOTOS, folder.resolve("small"), SMALL_DATASET);
            System.out.println("| network | encoding | stored/image | sent/image | stored/sent |");
            System.out.println("|---".repeat(5) + "|");
            for (String network : networks) {
                runs.bytes(network, small);
            }
            PackedFolder packed = pack(PHOTOS, folder.resolve("large"), DATASET);
            for (String network : networks) {
                runs.network(network, packed);
            }
        } finally {
            DigitPhotos.delete(folder);
        }
        System.exit(0);
    }

    private static PackedFolder pack(DigitPhotos photos, java.nio.file.Path drawn, String to)
            throws IOException {
        photos.draw(drawn);
        Path from = new Path("file", null, drawn.toString());
        PackedFolder packed = new Packer(PER_OBJECT, 1).pack(from, new Path(to)).folder();
        System.out.printf(
                Locale.ROOT,
                "%n%d photographs of %d×%d pixels, %.0f bytes each%n%n",
                packed.images(),
                photos.side(),
                photos.side(),
                (double) packed.bytes() / packed.images());
        return packed;
    }

    /** Prints the bytes that cross the link if all frozen layers run next to the store. */
    private void bytes(String network, PackedFolder packed) throws Exception {
        for (Encoding encoding : Encoding.values()) {
            Map<String, GivenSetting> given = given(network, SMALL_DATASET);
            put(given, "split", "all");
            put(given, "encoding", encoding.label());
            FinetuneRun run =
                    new FinetuneRun(FinetuneConfig.SETTINGS.read(given), new Path(SMALL_DATASET));
            ExtractionResult result = run.extract(System.out::println).last();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %d | %d | %.1f× |%n",
                    network,
                    encoding.label(),
                    packed.bytes() / packed.images(),
                    result.linkBytes() / packed.images(),
                    (double) packed.bytes() / result.linkBytes());
        }
    }

    private void network(String network, PackedFolder packed) throws Exception {
        System.out.println(
                "| "
                        + network
                        + " | turn | split | s | ms/image | predicted | sent/image | stored/sent |"
                        + " sent up | link ms | store ms | decode ms | layers ms | client ms |");
        System.out.println("|---".repeat(14) + "|");
        List<Extractions> slow = turns(network, packed, SLOW, EPOCHS);
        double training = training(network);
        List<Extractions> abundant = turns(network, packed, null, ABUNDANT_TURNS);
        double baseline = median(slow, each -> each.results().get(0).seconds());
        double split = median(slow, each -> each.last().seconds());
        double all = slow.stream().mapToDouble(each -> each.results().get(0).seconds()).sum();
        System.out.printf(
                Locale.ROOT,
                "%nAt %sbit/s one epoch takes %.1f s and %.1f s, %.2f times as long.%n%d epochs, "
                        + "which read %d times and once, take %.1f s and %.1f s, and levee train "
                        + "of the last layers %.1f s: %.2f times as long with it, %.2f "
                        + "without.%nWith abundant bandwidth one epoch takes %.1f s and %.1f s, "
                        + "%.2f times as long.%n%n",
                SLOW,
                baseline,
                split,
                baseline / split,
                EPOCHS,
                EPOCHS,
                all,
                split,
                training,
                (all + training) / (split + training),
                all / split,
                median(abundant, each -> each.results().get(0).seconds()),
                median(abundant, each -> each.last().seconds()),
                median(abundant, each -> each.results().get(0).seconds() / each.last().seconds()));
    }

    private List<Extractions> turns(
            String network, PackedFolder packed, String bandwidth, int turns) throws Exception {
        List<Extractions> done = new ArrayList<>();
        for (int turn = 1; turn <= turns; turn++) {
            FinetuneRun run = run(network, bandwidth);
            Extractions extractions = run.extract(System.out::println);
            run.features().keep(extractions.last());
            for (int i = 0; i < extractions.results().size(); i++) {
                System.out.println(
                        line(
                                bandwidth == null ? "abundant" : bandwidth,
                                turn,
                                packed,
                                extractions,
                                i));
            }
            done.add(extractions);
        }
        return done;
    }

    private FinetuneRun run(String network, String bandwidth) {
        Map<String, GivenSetting> given = given(network, DATASET);
        put(given, "baseline", "true");
        if (bandwidth != null) {
            put(given, "bandwidth", bandwidth);
        }
        return new FinetuneRun(FinetuneConfig.SETTINGS.read(given), new Path(DATASET));
    }

    private Map<String, GivenSetting> given(String network, String dataset) {
        Map<String, GivenSetting> given = new HashMap<>();
        put(given, "network", network);
        put(given, "dataset", dataset);
        put(given, "images-per-request", String.valueOf(PER_OBJECT));
        put(given, "storage-slots", String.valueOf(STORAGE_SLOTS));
        put(given, "output", output.toString());
        return given;
    }

    private static void put(Map<String, GivenSetting> given, String name, String value) {
        given.put(name, new GivenSetting(List.of(value), "--" + name));
    }

    /** Seconds that the last layers take for this many epochs on existing features. */
    private double training(String network) {
        List<String> options =
                List.of(
                        "--workers",
                        "2",
                        "--batch-size",
                        String.valueOf(BATCH / 2),
                        "--rounds",
                        String.valueOf(EPOCHS * IMAGES / BATCH),
                        "--overwrite");
        String[] command = run(network, SLOW).training(options).toArray(String[]::new);
        long start = System.nanoTime();
        int code = LeveeCommand.commandLine().execute(command);
        if (code != 0) {
            throw new IllegalStateException("the training ends with status " + code);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static double median(List<Extractions> turns, ToDoubleFunction<Extractions> of) {
        return Spread.median(turns.stream().mapToDouble(of));
    }

    private static String line(
            String link, int turn, PackedFolder packed, Extractions extractions, int which) {
        ExtractionResult result = extractions.results().get(which);
        Prediction predicted = extractions.predictions().get(which);
        int images = packed.images();
        String name = which == 0 ? "BASELINE" : String.valueOf(result.cut().layer());
        double linkMillis =
                result.rate().known()
                        ? result.linkBytes() * 8e3 / result.rate().bitsPerSecond() / images
                        : Double.NaN;
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %.1f | %.1f | %.1f | %d | %.1f× | %.1f MB | %.1f | %.1f | %.1f |"
                        + " %.1f | %.1f |",
                link,
                turn,
                name,
                result.seconds(),
                result.seconds() * 1e3 / images,
                predicted.seconds(extractions.conditions()) * 1e3,
                result.linkBytes() / images,
                (double) packed.bytes() / result.linkBytes(),
                result.sentBytes() / 1e6,
                linkMillis,
                result.features().storeNanos() / 1e6 / images,
                result.features().decodeNanos() / 1e6 / images,
                result.features().computeNanos() / 1e6 / images,
                result.features().clientNanos() / 1e6 / images);
    }
}
