package dev.levee.connectors.data.internal.text;

import dev.levee.connectors.data.internal.file.DataFile;

/**
 * Reads LIBSVM text, {@code label index:value index:value …} per line, byte by byte, so that lines
 * may have any length. Indexes ascend. They start at 1, or at 0 in a file with an index 0, as
 * scikit-learn writes it. Text after a {@code #} is a comment.
 */
final class LibsvmReader {
    private static final int LONGEST_NUMBER = 64;
    private static final int CHUNK = 1 << 16;

    private final DataFile file;
    private final int mostFeatures;
    private final boolean mayStartAtZero;
    private final SparseSamples samples = new SparseSamples();
    private final StringBuilder word = new StringBuilder();
    private byte[] chunk = new byte[0];
    private int at;
    private int line = 1;
    private int next;

    private LibsvmReader(DataFile file, int mostFeatures, SparseSamples train) {
        this.file = file;
        this.mostFeatures = mostFeatures;
        this.mayStartAtZero = train == null || train.startsAtZero();
        if (train != null && train.startsAtZero()) {
            samples.startAtZero();
        }
        this.next = read();
    }

    /**
     * Reads a whole file.
     *
     * @param mostFeatures maximum number of features
     * @param train the training samples, whose first index holds, if this is the test file;
     *     otherwise null, and indexes start at 0 if a 0 occurs
     */
    static SparseSamples read(DataFile file, int mostFeatures, SparseSamples train) {
        LibsvmReader reader = new LibsvmReader(file, mostFeatures, train);
        while (reader.next >= 0) {
            reader.readLine();
        }
        if (reader.samples.size() == 0) {
            throw file.wrong("has no samples");
        }
        if (reader.samples.features() > mostFeatures) {
            throw file.wrong(
                    ("has the index %d, where indexes start at 0, above %d features; "
                                    + "?features=N sets the number of features")
                            .formatted(mostFeatures, mostFeatures));
        }
        return reader.samples;
    }

    /** The next byte, or −1 at the end. */
    private int read() {
        if (at == chunk.length) {
            chunk = file.readUpTo(CHUNK);
            at = 0;
            if (chunk.length == 0) {
                return -1;
            }
        }
        return chunk[at++] & 0xFF;
    }

    private void readLine() {
        if (readWord()) {
            double label = number(word.toString(), "label");
            int last = -1;
            while (readWord()) {
                last = feature(word.toString(), last);
            }
            samples.add(label);
            file.checkMemory(samples.bytes());
        }
        while (next >= 0 && next != '\n') {
            next = read();
        }
        next = read();
        line++;
    }

    /**
     * Reads the next word of the line.
     *
     * @return false at the end of the line or at a comment
     */
    private boolean readWord() {
        word.setLength(0);
        while (next == ' ' || next == '\t' || next == '\r') {
            next = read();
        }
        while (next > ' ' && (next != '#' || word.length() > 0)) {
            if (word.length() == LONGEST_NUMBER) {
                throw wrong("has a word that is too long: " + word + "…");
            }
            word.append((char) next);
            next = read();
        }
        if (next >= 0 && next < ' ' && next != '\n' && next != '\t' && next != '\r') {
            throw wrong("is not LIBSVM text: it holds a byte " + next);
        }
        return word.length() > 0;
    }

    private int feature(String text, int last) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw wrong("has \"" + text + "\" where index:value should be");
        }
        int index;
        try {
            index = Integer.parseInt(text, 0, colon, 10);
        } catch (NumberFormatException e) {
            throw wrong("has \"" + text + "\" where index:value should be");
        }
        if (index < 0 || (index == 0 && !mayStartAtZero)) {
            throw wrong("has the index " + index + ", but indexes start at 1");
        }
        if (index == 0) {
            samples.startAtZero();
        }
        if (index <= last) {
            throw wrong("has the index " + index + " after " + last + ", but indexes must ascend");
        }
        if (index > mostFeatures) {
            throw wrong(
                    "has the index %s, above %s features; ?features=N sets the number of features"
                            .formatted(index, mostFeatures));
        }
        float value = (float) number(text.substring(colon + 1), "value");
        samples.put(index, value);
        return index;
    }

    private double number(String text, String what) {
        try {
            double number = Double.parseDouble(text);
            if (Float.isFinite((float) number)) {
                return number + 0.0;
            }
        } catch (NumberFormatException e) {
            throw wrong("has the " + what + " \"" + text + "\", which is not a number");
        }
        throw wrong("has the " + what + " " + text + ", which is not finite as a float");
    }

    private IllegalArgumentException wrong(String what) {
        return file.wrong("line " + line + " " + what);
    }
}
