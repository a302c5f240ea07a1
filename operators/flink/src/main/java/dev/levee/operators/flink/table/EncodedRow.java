package dev.levee.operators.flink.table;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;

/**
 * A row that can be encoded as text. Two texts are equal if and only if worker and bits are equal,
 * so texts work as keys of Flink's map state, unlike arrays.
 *
 * @param worker the sender; null if no worker was named
 * @param values the coordinates; null for a NULL gradient or one with a NULL element
 */
record EncodedRow(Long worker, float[] values) implements Comparable<EncodedRow> {
    private static final char NO_VALUES = '-';
    private static final Comparator<EncodedRow> ORDER =
            Comparator.comparing(
                            EncodedRow::worker,
                            Comparator.nullsFirst(Comparator.<Long>naturalOrder()))
                    .thenComparing(EncodedRow::values, Comparator.nullsFirst(Arrays::compare));

    String text() {
        String sender = worker == null ? "" : worker.toString();
        if (values == null) {
            return sender + ":" + NO_VALUES;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES));
        for (float value : values) {
            bytes.putFloat(value);
        }
        return sender + ":" + Base64.getEncoder().encodeToString(bytes.array());
    }

    static EncodedRow parse(String text) {
        int colon = text.indexOf(':');
        Long worker = colon == 0 ? null : Long.valueOf(text.substring(0, colon));
        String body = text.substring(colon + 1);
        if (body.length() == 1 && body.charAt(0) == NO_VALUES) {
            return new EncodedRow(worker, null);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(body));
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return new EncodedRow(worker, values);
    }

    /** Orders rows by worker, then by coordinates (−0 before 0), shorter rows first. */
    @Override
    public int compareTo(EncodedRow other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EncodedRow row && row.text().equals(text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }
}
