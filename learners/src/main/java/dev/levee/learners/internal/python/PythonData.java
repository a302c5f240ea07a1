package dev.levee.learners.internal.python;

import dev.levee.connectors.data.ArrayDataset;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.OwnedDataset;
import dev.levee.connectors.data.TargetDataset;
import dev.levee.learners.ParticipantException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads data sets with addresses {@code python:FILE.py}. Training samples are those that {@code
 * data(id, of)} in a Python file returns for each participant 0 to {@code of} − 1, which owns them.
 * Test samples are those of {@code data("test", of)}. An interpreter runs only while the samples
 * are read; this process keeps them.
 */
public final class PythonData implements DatasetFormat {
    private static final String PARTICIPANTS = "participants";
    private static final int MOST_PARTICIPANTS = 1_000_000;

    @Override
    public String form() {
        return "python:FILE.py";
    }

    @Override
    public String summary() {
        return "what data(id, of) in a Python file returns for each worker or device, and"
                + " data(\"test\", of)";
    }

    @Override
    public List<DatasetOption> options() {
        return List.of(
                new DatasetOption(
                        PARTICIPANTS,
                        "a number",
                        "that of workers or devices",
                        "how many participants there are, which is of in data(id, of)"),
                new DatasetOption("python", "a command", "python3", "interpreter that has PyTorch"),
                new DatasetOption(
                        "timeout", "seconds", "300", "how long one call of data may take"));
    }

    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        int participants = uri.whole(PARTICIPANTS, 1, 1, MOST_PARTICIPANTS);
        PythonSettings settings =
                PythonSettings.parse(
                        uri.options().entrySet().stream()
                                .filter(option -> !option.getKey().equals(PARTICIPANTS))
                                .map(option -> option.getKey() + "=" + option.getValue())
                                .collect(Collectors.joining("&", uri.path() + "?", "")));
        String source = PythonSource.read(settings.path());
        try (PythonProcess process = new PythonProcess(settings)) {
            process.run(source, 0, 0);
            List<Samples> all = new ArrayList<>();
            if (split == Split.TEST) {
                all.add(read(process, "test", participants));
            } else {
                for (int id = 0; id < participants; id++) {
                    all.add(read(process, String.valueOf(id), participants));
                }
            }
            return dataset(uri, all, Integer.parseInt(process.ask("classes").get(0)));
        } catch (ParticipantException | PythonProcess.FullError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Samples of one participant.
     *
     * @param of the id that was passed to data(id, of)
     * @param targets the targets of each sample, null if samples have classes
     * @param labels the labels of each sample, all 0 if samples have targets
     */
    private record Samples(
            String of, int[] shape, float[][] rows, int[] labels, float[][] targets) {}

    private static Samples read(PythonProcess process, String of, int participants) {
        List<String> said = process.ask("read", of, participants);
        int count = Integer.parseInt(said.get(0));
        int[] shape = Stream.of(said.get(1).split(",")).mapToInt(Integer::parseInt).toArray();
        int targets = Integer.parseInt(said.get(2));
        int length = IntStream.of(shape).reduce(1, Math::multiplyExact);
        long answersAt = (4L * count * length + 7) / 8 * 8;
        long bytes = answersAt + (targets > 0 ? 4L * count * targets : 8L * count);
        try (MappedFile memory = MappedFile.create(bytes)) {
            process.ask("map", "samples", memory.path(), bytes);
            process.ask("fill");
            float[][] rows = rows(memory.from(0), count, length);
            ByteBuffer answers = memory.from((int) answersAt);
            int[] labels = new int[count];
            if (targets == 0) {
                for (int i = 0; i < count; i++) {
                    labels[i] = Math.toIntExact(answers.getLong());
                }
            }
            return new Samples(
                    of, shape, rows, labels, targets == 0 ? null : rows(answers, count, targets));
        }
    }

    private static float[][] rows(ByteBuffer from, int count, int length) {
        float[][] rows = new float[count][length];
        var values = from.asFloatBuffer();
        for (float[] row : rows) {
            values.get(row);
        }
        return rows;
    }

    /**
     * All samples as one data set.
     *
     * @param named number of classes that the file states, 0 if it states none
     */
    private static Dataset dataset(DatasetUri uri, List<Samples> all, int named) {
        Samples first = all.get(0);
        for (Samples each : all) {
            if (!Arrays.equals(each.shape(), first.shape())
                    || (each.targets() == null) != (first.targets() == null)) {
                throw new IllegalArgumentException(
                        "%s gives samples of another kind or shape to %s than to %s"
                                .formatted(uri.text(), each.of(), first.of()));
            }
        }
        float[][] rows =
                all.stream().flatMap(each -> Stream.of(each.rows())).toArray(float[][]::new);
        int[] labels = all.stream().flatMapToInt(each -> IntStream.of(each.labels())).toArray();
        int highest = IntStream.of(labels).max().orElse(0);
        int classes = first.targets() != null ? 1 : named > 0 ? named : Math.max(2, highest + 1);
        Dataset samples = new ArrayDataset(rows, labels, first.shape(), classes);
        if (first.targets() != null) {
            float[][] targets =
                    all.stream().flatMap(each -> Stream.of(each.targets())).toArray(float[][]::new);
            samples = new TargetDataset(samples, targets, List.of());
        }
        int[] owners =
                IntStream.range(0, all.size())
                        .flatMap(
                                id -> IntStream.generate(() -> id).limit(all.get(id).rows().length))
                        .toArray();
        return new OwnedDataset(samples, owners, all.size());
    }
}
