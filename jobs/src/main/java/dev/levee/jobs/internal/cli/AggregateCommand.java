package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.RowsFile;
import dev.levee.gar.Aggregator;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Device;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.cli.view.Explanation;

import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

/** Aggregates the rows of a file. */
@Command(
        name = "aggregate",
        description = "Aggregate the rows of a file and print the result on one line.",
        footer = {
            "",
            "levee rules lists the rules, pre-aggregations and attacks; levee rules explain "
                    + "NAME describes one.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true)
final class AggregateCommand extends CliCommand implements Callable<Integer> {
    @Option(
            names = {"--aggregator", "--rule"},
            paramLabel = "RULE",
            required = true,
            description =
                    "Rule or pipeline with optional parameters, such as multi-krum or "
                            + "\"geometric-median(nu=0.1,iterations=3)\".")
    private String aggregator;

    @Option(
            names = {"-f", "--byzantine"},
            paramLabel = "F",
            description = "Number of rows that may be Byzantine (default: ${DEFAULT-VALUE}).")
    private int byzantine = 0;

    @Option(
            names = "--in",
            paramLabel = "FILE",
            description =
                    "File with the rows: comma-separated values without a header, or a matrix in "
                            + ".npy; - for standard input (default). The first row is worker w0.")
    private String in = "-";

    @Option(
            names = "--pre",
            paramLabel = "STAGES",
            description = "Pre-aggregations before the rule, such as \"clip(2) | nnm\".")
    private String pre;

    @Option(
            names = "--attack",
            paramLabel = "ATTACK",
            description = "What attackers send; their rows are added after those of the file.")
    private String attack;

    @Option(
            names = "--attackers",
            paramLabel = "COUNT",
            description = "Number of attackers to add (default: F).")
    private Integer attackers;

    @Option(
            names = "--previous",
            paramLabel = "FILE",
            description =
                    "File with the previous aggregate, one row, for rules that start from it.")
    private String previous;

    @Option(
            names = "--scores",
            paramLabel = "FILE",
            description =
                    "File with the scores of all rows, one line, for rules that need them (zeno).")
    private String scores;

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description =
                    "File with the weights of all rows, one line, such as sample counts, for "
                            + "rules that take them.")
    private String weights;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of all random choices (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "cpu",
            converter = DeviceConverter.class,
            description =
                    "Where to compute: cpu, gpu, or auto, which uses a GPU if available "
                            + "(default: ${DEFAULT-VALUE}). The result is bit-identical.")
    private Device device;

    @Option(
            names = "--threads",
            paramLabel = "COUNT",
            description = "Number of CPU threads (default: ${DEFAULT-VALUE}).")
    private int threads = 1;

    @Option(
            names = "--explain",
            description = "Print to standard error which rows were chosen and why.")
    private boolean explain;

    @Override
    public Integer call() throws IOException {
        try {
            Rule parsed = Rules.parse(pre == null ? aggregator : pre + " | " + aggregator);
            float[][] rows = withAttackers(read(in));
            Aggregator computing =
                    new Aggregator(parsed, byzantine(), seed).on(device).threads(threads);
            if (previous != null) {
                computing.from(vector("--previous", previous, rows[0].length));
            }
            double[] weightsOfRows = perRow("--weights", weights, rows.length);
            double[] scoresOfRows = perRow("--scores", scores, rows.length);
            float[] aggregate =
                    computing.aggregate(
                            rows,
                            round -> round.withWeights(weightsOfRows).withScores(scoresOfRows));
            if (explain) {
                new Explanation(parsed, byzantine, computing.last(), rows).print(err());
            }
            print(aggregate);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        } catch (OutOfMemoryError e) {
            throw wrong(
                    "the rows and the intermediate values of %s do not fit into %d MB of memory"
                            .formatted(aggregator, Runtime.getRuntime().maxMemory() / 1_000_000));
        } catch (NoSuchFileException e) {
            throw wrong(e.getFile() + " does not exist");
        } catch (AccessDeniedException e) {
            throw wrong(e.getFile() + " cannot be read");
        }
        return 0;
    }

    /** Converts the name of a device, such as {@code gpu}. */
    static final class DeviceConverter implements ITypeConverter<Device> {
        @Override
        public Device convert(String text) {
            return switch (text) {
                case "cpu" -> Device.CPU;
                case "gpu" -> Device.GPU;
                case "auto" -> Device.AUTO;
                default ->
                        throw new TypeConversionException("must be cpu, gpu or auto, got " + text);
            };
        }
    }

    private int byzantine() {
        if (byzantine < 0) {
            throw new IllegalArgumentException("-f must not be negative, got " + byzantine);
        }
        return byzantine;
    }

    private float[][] withAttackers(float[][] honest) {
        if (attack == null) {
            if (attackers != null) {
                throw new IllegalArgumentException("--attackers needs an --attack");
            }
            return honest;
        }
        int count = attackers == null ? byzantine() : attackers;
        if (count < 0) {
            throw new IllegalArgumentException("--attackers must not be negative, got " + count);
        }
        Attack parsed = Attacks.parse(attack);
        checkMemory(count, honest[0].length);
        float[][] rows = Arrays.copyOf(honest, honest.length + count);
        float[][] forged = Attacks.rows(parsed, honest, count, 0, seed);
        System.arraycopy(forged, 0, rows, honest.length, count);
        return rows;
    }

    private static void checkMemory(int attackers, int coordinates) {
        double needed = (double) attackers * coordinates * Float.BYTES;
        long most = Runtime.getRuntime().maxMemory();
        if (needed > most / 2) {
            throw new IllegalArgumentException(
                    ("%d attackers with rows of %d values need %.0f MB, but only %d MB are "
                                    + "available")
                            .formatted(attackers, coordinates, needed / 1e6, most / 2_000_000));
        }
    }

    private static double[] perRow(String option, String file, int rows) throws IOException {
        if (file == null) {
            return new double[0];
        }
        float[] values = vector(option, file, rows);
        double[] result = new double[rows];
        Arrays.setAll(result, i -> values[i]);
        return result;
    }

    /** Reads a vector from a file that has one row or one column. */
    private static float[] vector(String option, String file, int length) throws IOException {
        float[][] read = read(file);
        float[] vector = read[0];
        if (read.length > 1 && vector.length == 1) {
            vector = new float[read.length];
            for (int i = 0; i < vector.length; i++) {
                vector[i] = read[i][0];
            }
        } else if (read.length > 1) {
            throw new IllegalArgumentException(
                    option + ": " + file + " must contain one row, got " + read.length);
        }
        if (vector.length != length) {
            throw new IllegalArgumentException(
                    "%s: %s must contain %d values, got %d"
                            .formatted(option, file, length, vector.length));
        }
        return vector;
    }

    private static float[][] read(String file) throws IOException {
        if (file.equals("-")) {
            return RowsFile.read(System.in, "standard input");
        }
        Path path = Path.of(file);
        if (Files.isDirectory(path)) {
            throw new IllegalArgumentException(file + " is a directory");
        }
        path.getFileSystem().provider().checkAccess(path, AccessMode.READ);
        // Not Files.newInputStream: it asks for the position in the file, which a pipe does not
        // have.
        try (InputStream bytes = new FileInputStream(path.toFile())) {
            return RowsFile.read(bytes, file);
        }
    }

    private void print(float[] aggregate) {
        PrintWriter out = out();
        for (int i = 0; i < aggregate.length; i++) {
            if (i > 0) {
                out.print(',');
            }
            out.print(aggregate[i]);
        }
        out.println();
    }
}
