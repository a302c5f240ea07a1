package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.NumpyValues;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.image.ByteDataset;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.split.SampleShares;
import dev.levee.connectors.data.internal.table.Names;
import dev.levee.connectors.data.internal.table.Table;
import dev.levee.connectors.data.internal.table.TableBuilder;
import dev.levee.connectors.data.internal.table.TableColumns;
import dev.levee.connectors.data.internal.table.TableFeatures;
import dev.levee.connectors.data.internal.table.TableOptions;
import dev.levee.connectors.data.internal.table.Tables;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Features with their labels or targets, as a table or as pictures with one byte per value. */
record NpzSamples(
        DatasetUri uri,
        String name,
        long[] sample,
        boolean divided,
        Pictures pictures,
        Table table,
        byte[][] bytes,
        int[] labels,
        Names classes) {
    private static final int CHUNK = 1 << 13;
    private static final double MOST_OF_A_BYTE = 255;

    /**
     * Reads features and labels or targets.
     *
     * @param train the training samples, if these are the test samples; otherwise null
     * @throws IllegalArgumentException if they do not match each other or the training samples; one
     *     sentence
     */
    static NpzSamples read(
            DatasetUri uri, NpzFile file, String features, String labels, NpzSamples train) {
        NpzAnswers found =
                file.read(
                        labels,
                        uri.has("targets") ? NpzAnswers.Targets::read : NpzAnswers.Labels::read);
        return file.read(features, values -> read(uri, file, features, values, found, train));
    }

    private static NpzSamples read(
            DatasetUri uri,
            NpzFile file,
            String name,
            NumpyValues values,
            NpzAnswers answers,
            NpzSamples train)
            throws IOException {
        long[] shape = values.shape();
        if (!values.areNumbers()) {
            throw values.wrong("has type " + values.type() + ", but features must be numbers");
        }
        if (shape.length == 0 || Arrays.stream(shape).anyMatch(extent -> extent == 0)) {
            throw values.wrong("has no samples");
        }
        if (shape[0] != answers.count()) {
            throw values.wrong(
                    "has %d samples, but there are %d %s"
                            .formatted(
                                    shape[0],
                                    answers.count(),
                                    answers instanceof NpzAnswers.Labels ? "labels" : "targets"));
        }
        if (values.byColumns() && shape.length > 2) {
            throw values.wrong(
                    "is in Fortran order, which is supported for two dimensions only: "
                            + "convert it with numpy.ascontiguousarray(array)");
        }
        long[] sample = Arrays.copyOfRange(shape, 1, shape.length);
        if (train != null && !Arrays.equals(sample, train.sample)) {
            throw values.wrong(
                    "has samples of shape %s, but those of %s have %s"
                            .formatted(
                                    Arrays.toString(sample),
                                    train.name,
                                    Arrays.toString(train.sample)));
        }
        Pictures pictures = Pictures.of(uri, sample);
        boolean pixels = values.kind().equals("u1");
        String scale = uri.options().getOrDefault("scale", pixels && pictures.are() ? "byte" : "");
        if (scale.equals("byte") && !pixels) {
            throw values.wrong("has type " + values.type() + ", but scale=byte is for uint8 (|u1)");
        }
        boolean divided = scale.equals("byte");
        if (train != null && divided != train.divided) {
            throw values.wrong(
                    "has type " + values.type() + ", unlike the training samples " + train.name);
        }
        if (divided && values.byColumns()) {
            throw values.wrong(
                    "is in Fortran order: convert it with numpy.ascontiguousarray(array)");
        }
        if (divided && answers instanceof NpzAnswers.Labels labels) {
            byte[][] bytes = bytes(values, (int) shape[0], pictures);
            int[] numbers = new int[bytes.length];
            Names classes =
                    labels.number(
                            numbers,
                            train == null ? null : train.classes,
                            Holdout.givenClasses(uri),
                            file + ", " + name);
            return new NpzSamples(uri, name, sample, true, pictures, null, bytes, numbers, classes);
        }
        Table table =
                table(
                        uri,
                        file + ", " + name,
                        values,
                        divided ? MOST_OF_A_BYTE : 1,
                        answers,
                        pictures,
                        train);
        return new NpzSamples(
                uri, name, sample, divided, pictures, table, null, table.labels(), table.classes());
    }

    private static byte[][] bytes(NumpyValues values, int count, Pictures pictures)
            throws IOException {
        int length = pictures.length();
        Memory.check("the array", (long) count * (length + 32L));
        byte[][] pixels = new byte[count][];
        for (int i = 0; i < count; i++) {
            byte[] read = values.bytes(length).array();
            pixels[i] = new byte[length];
            for (int at = 0; at < length; at++) {
                pixels[i][pictures.place(at)] = read[at];
            }
        }
        return pixels;
    }

    private static Table table(
            DatasetUri uri,
            String name,
            NumpyValues values,
            double unit,
            NpzAnswers answers,
            Pictures pictures,
            NpzSamples train)
            throws IOException {
        int length = pictures.length();
        int count = Math.toIntExact(values.shape()[0]);
        TableColumns columns =
                new TableColumns(
                        uri,
                        name,
                        List.of("features", uri.options().getOrDefault("targets", "labels")),
                        new int[] {length, answers.each()});
        TableBuilder table =
                new TableBuilder(
                        uri,
                        columns,
                        train == null ? null : train.table,
                        row -> "sample " + row,
                        bytes -> Memory.check(name, bytes));
        table.grow(count);
        double[] chunk = new double[CHUNK];
        long total = (long) count * length;
        for (long from = 0; from < total; from += CHUNK) {
            int step = (int) Math.min(CHUNK, total - from);
            values.read(chunk, step);
            for (int i = 0; i < step; i++) {
                long at = from + i;
                int row = (int) (values.byColumns() ? at % count : at / length);
                int place = (int) (values.byColumns() ? at / count : at % length);
                table.number(row, 0, pictures.place(place), chunk[i] / unit);
            }
        }
        for (int row = 0; row < count; row++) {
            answers.add(table, row, 1);
        }
        return table.build();
    }

    /** The training or test split of samples that the file does not split. */
    Dataset heldOut(Split split) {
        return table != null
                ? Tables.heldOut(uri, split, pictures.shape(), table)
                : pictures(Holdout.samples(uri, split, labels.length));
    }

    /**
     * All of these samples as a data set.
     *
     * @param train the training samples; may be this object
     */
    Dataset dataset(NpzSamples train) {
        int[] all = SampleShares.indexes(labels.length);
        if (table == null) {
            return pictures(all);
        }
        TableFeatures features =
                new TableFeatures(uri, train.table, SampleShares.indexes(train.labels.length));
        return Tables.dataset(uri, table, all, features, pictures.shape());
    }

    private Dataset pictures(int[] samples) {
        return new ByteDataset(
                Arrays.stream(samples).mapToObj(i -> bytes[i]).toArray(byte[][]::new),
                Arrays.stream(samples).map(i -> labels[i]).toArray(),
                TableOptions.shape(uri, pictures.shape()),
                Tables.classes(uri, classes),
                classes.list());
    }
}
