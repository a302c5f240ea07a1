package dev.levee.connectors.data.internal.npz;

import dev.levee.connectors.data.NumpyValues;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.table.Names;
import dev.levee.connectors.data.internal.table.Numbers;
import dev.levee.connectors.data.internal.table.TableBuilder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The labels or targets of the samples, read from an array. */
sealed interface NpzAnswers {
    /** Number of samples. */
    int count();

    /** Values of each sample. */
    int each();

    /** Adds the label or targets of the sample {@code row} to a table. */
    void add(TableBuilder table, int row, int column);

    /** Labels: whole numbers, booleans, or text, one per sample. */
    final class Labels implements NpzAnswers {
        private final double[] numbers;
        private final String[] texts;

        private Labels(double[] numbers, String[] texts) {
            this.numbers = numbers;
            this.texts = texts;
        }

        /** Reads an array of shape (n) or (n, 1). */
        static Labels read(NumpyValues values) throws IOException {
            long[] shape = values.shape();
            boolean oneEach = shape.length == 1 || (shape.length == 2 && shape[1] == 1);
            if (!oneEach) {
                throw values.wrong(
                        "has shape "
                                + Arrays.toString(shape)
                                + ", but labels are one per sample"
                                + (shape.length == 2
                                        ? "; array.argmax(axis=1) converts one-hot rows"
                                        : ""));
            }
            int count = (int) Math.min(Integer.MAX_VALUE - 8, shape[0]);
            Memory.check("the array of labels", 16L * count);
            String kind = values.kind();
            if (kind.matches("[US][0-9]{1,5}")) {
                return new Labels(null, texts(values, count, kind));
            }
            if (!values.areNumbers()) {
                throw values.wrong(
                        "has type "
                                + values.type()
                                + ", but labels must be whole numbers, booleans or text"
                                + (kind.startsWith("O")
                                        ? "; array.astype(str) converts objects to text"
                                        : ""));
            }
            return new Labels(numbers(values, count, kind), null);
        }

        private static double[] numbers(NumpyValues values, int count, String kind)
                throws IOException {
            double[] numbers = new double[count];
            double[] one = new double[1];
            for (int i = 0; i < count; i++) {
                if (kind.endsWith("8") && !kind.startsWith("f")) {
                    numbers[i] = values.bytes(8).getLong();
                } else {
                    values.read(one, 1);
                    numbers[i] = one[0];
                }
                if (!Numbers.isWhole(numbers[i])) {
                    throw values.wrong(
                            ("has the label %s for sample %d, but classes must be whole "
                                            + "numbers or names")
                                    .formatted(Numbers.shortest(numbers[i]), i));
                }
            }
            return numbers;
        }

        private static String[] texts(NumpyValues values, int count, String kind)
                throws IOException {
            int length = Integer.parseInt(kind.substring(1));
            boolean wide = kind.startsWith("U");
            String[] texts = new String[count];
            for (int i = 0; i < count; i++) {
                ByteBuffer bytes = values.bytes(wide ? 4 * length : length);
                StringBuilder text = new StringBuilder();
                while (wide && bytes.hasRemaining()) {
                    int point = bytes.getInt();
                    if (!Character.isValidCodePoint(point)) {
                        throw values.wrong("has no text at sample " + i);
                    }
                    text.appendCodePoint(point);
                }
                String padded =
                        wide ? text.toString() : new String(bytes.array(), StandardCharsets.UTF_8);
                texts[i] = padded.replaceFirst("\0+$", "");
            }
            return texts;
        }

        @Override
        public int count() {
            return texts == null ? numbers.length : texts.length;
        }

        @Override
        public int each() {
            return 1;
        }

        @Override
        public void add(TableBuilder table, int row, int column) {
            if (texts == null) {
                table.number(row, column, 0, numbers[row]);
            } else {
                table.text(row, column, texts[row]);
            }
        }

        /**
         * Numbers the labels.
         *
         * @param known the known classes; null to use the classes that occur
         * @param classes the number of classes; 0 if it is the number of labels that occur
         * @param name the name of the samples, for messages
         */
        Names number(int[] to, Names known, int classes, String name) {
            Names found = known == null ? new Names() : known;
            for (int i = 0; i < to.length; i++) {
                String label = texts == null ? Numbers.shortest(numbers[i]) : texts[i];
                to[i] = known == null ? found.add(label) : found.find(label);
                if (to[i] < 0) {
                    throw new IllegalArgumentException(
                            "%s, sample %d has the label %s, %s"
                                    .formatted(
                                            name,
                                            i,
                                            label,
                                            known == null
                                                    ? "one too many after " + found.size()
                                                    : "which the training samples lack"));
                }
            }
            return known == null ? found.numbered(to, classes) : found;
        }
    }

    /** Targets: numbers or booleans, one sample after the other. */
    final class Targets implements NpzAnswers {
        private static final int CHUNK = 1 << 13;

        private final double[] values;
        private final int count;
        private final int each;
        private final boolean byColumns;

        private Targets(double[] values, int count, int each, boolean byColumns) {
            this.values = values;
            this.count = count;
            this.each = each;
            this.byColumns = byColumns;
        }

        /** Reads an array of shape (n) or (n, k). */
        static Targets read(NumpyValues values) throws IOException {
            long[] shape = values.shape();
            if (shape.length < 1 || shape.length > 2 || shape[shape.length - 1] == 0) {
                throw values.wrong(
                        "has shape %s, but targets must have shape (samples) or (samples, targets)"
                                .formatted(Arrays.toString(shape)));
            }
            if (!values.areNumbers()) {
                throw values.wrong("has type " + values.type() + ", but targets must be numbers");
            }
            long each = shape.length == 1 ? 1 : shape[1];
            long numbers = Math.multiplyExact(shape[0], each);
            Memory.check("the array of targets", Math.multiplyExact(numbers, (long) Double.BYTES));
            double[] read = new double[Math.toIntExact(numbers)];
            double[] chunk = new double[CHUNK];
            for (int from = 0; from < read.length; from += CHUNK) {
                int step = Math.min(CHUNK, read.length - from);
                values.read(chunk, step);
                System.arraycopy(chunk, 0, read, from, step);
            }
            return new Targets(read, (int) shape[0], (int) each, values.byColumns());
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public int each() {
            return each;
        }

        @Override
        public void add(TableBuilder table, int row, int column) {
            for (int i = 0; i < each; i++) {
                table.number(row, column, i, values[byColumns ? i * count + row : row * each + i]);
            }
        }
    }
}
