package dev.levee.connectors.data.internal.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Maps the tokens of a text to numbers. A vocabulary of words grows while the training split is
 * read; {@link #close} keeps only the most frequent words. After that, all unknown tokens share the
 * number of one token.
 */
final class Vocabulary {
    /** LEAF's alphabet for Shakespeare's plays, in the order of its language_utils.py. */
    private static final String LETTERS =
            "\n !\"&'(),-.0123456789:;>?ABCDEFGHIJKLMNOPQRSTUVWXYZ[]abcdefghijklmnopqrstuvwxyz}";

    /** LEAF's token for unused positions of a sequence. */
    static final String PADDING = "<PAD>";

    /** LEAF's token for words that the vocabulary lacks. */
    private static final String UNKNOWN = "<UNK>";

    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<int[]> counts = new ArrayList<>();
    private final int most;
    private final int unknown;
    private boolean closed;

    private Vocabulary(List<String> first, int unknown, int most) {
        first.forEach(this::enter);
        this.unknown = unknown;
        this.most = most;
    }

    /** A vocabulary of LEAF's alphabet; any other character counts as a space. */
    static Vocabulary letters() {
        Vocabulary letters =
                new Vocabulary(
                        LETTERS.chars().mapToObj(Character::toString).toList(),
                        LETTERS.indexOf(' '),
                        LETTERS.length());
        letters.names.set(LETTERS.indexOf('\n'), "newline");
        letters.names.set(letters.unknown, "space");
        letters.closed = true;
        return letters;
    }

    /**
     * A vocabulary of words, which keeps at most {@code most} tokens, including those for padding
     * and unknown words.
     */
    static Vocabulary words(int most) {
        return new Vocabulary(List.of(PADDING, UNKNOWN), 1, most);
    }

    private int enter(String token) {
        codes.put(token, names.size());
        names.add(token);
        counts.add(new int[1]);
        return names.size() - 1;
    }

    /**
     * The number of a token. It is provisional until {@link #close}, and counts the token until
     * then.
     */
    int code(String token) {
        Integer code = codes.get(token);
        if (closed) {
            return code == null ? unknown : code;
        }
        int found = code == null ? enter(token) : code;
        counts.get(found)[0]++;
        return found;
    }

    int size() {
        return names.size();
    }

    /** All tokens by their numbers. */
    List<String> names() {
        return names;
    }

    /**
     * Keeps the most frequent tokens, ordered by frequency; among equally frequent tokens, the
     * earlier comes first.
     *
     * @return the new number for each old number; empty if the vocabulary was closed before
     */
    Optional<int[]> close() {
        if (closed) {
            return Optional.empty();
        }
        closed = true;
        List<Integer> kept =
                IntStream.range(2, names.size())
                        .boxed()
                        .sorted(Comparator.comparingInt(code -> -counts.get(code)[0]))
                        .limit(most - 2L)
                        .toList();
        int[] now = new int[names.size()];
        Arrays.fill(now, unknown);
        now[0] = 0;
        List<String> before = List.copyOf(names);
        codes.clear();
        names.clear();
        counts.clear();
        enter(PADDING);
        enter(UNKNOWN);
        kept.forEach(code -> now[code] = enter(before.get(code)));
        return Optional.of(now);
    }
}
