package dev.levee.connectors.data.internal.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The distinct values of a column, with codes in order of appearance. Numbers are normalized: 3 and
 * 3.0 are the same.
 */
public final class Names {
    /** The most values. */
    public static final int MOST = 1 << 16;

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");

    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** The code of a value. A new value gets a new code, or −1 if there are too many values. */
    public int add(String value) {
        Integer code = codes.get(value);
        if (code == null && names.size() < MOST) {
            code = names.size();
            codes.put(value, code);
            names.add(value);
        }
        return code == null ? -1 : code;
    }

    /** The code of a value; −1 if the value is unknown. */
    public int find(String value) {
        return codes.getOrDefault(value, -1);
    }

    public int size() {
        return names.size();
    }

    /** The values in the order of their codes. */
    public List<String> list() {
        return names;
    }

    /**
     * The same values with new codes in ascending order: numeric order if all values are whole
     * numbers, otherwise the order of strings.
     */
    Names sorted() {
        boolean numbers = names.stream().allMatch(name -> WHOLE.matcher(name).matches());
        Names sorted = new Names();
        names.stream()
                .sorted(
                        numbers
                                ? Comparator.comparingLong(Long::parseLong)
                                : Comparator.naturalOrder())
                .forEach(sorted::add);
        return sorted;
    }

    /**
     * Replaces {@code codes} by new codes. If all their values are whole numbers from 0 to {@code
     * classes} − 1, each value is its own code, so files that lack some of them agree. Otherwise
     * the codes are in ascending order of the values.
     *
     * @param classes the number of classes; 0 if it is the number of values that occur
     * @return the values with their new codes
     */
    public Names numbered(int[] codes, int classes) {
        Names used = new Names();
        for (int i = 0; i < codes.length; i++) {
            codes[i] = used.add(names.get(codes[i]));
        }
        Names whole = new Names();
        for (int i = 0; i < Math.min(classes, MOST); i++) {
            whole.add(Integer.toString(i));
        }
        Names numbers = whole.codes.keySet().containsAll(used.names) ? whole : used.sorted();
        for (int i = 0; i < codes.length; i++) {
            codes[i] = numbers.find(used.names.get(codes[i]));
        }
        return numbers;
    }
}
