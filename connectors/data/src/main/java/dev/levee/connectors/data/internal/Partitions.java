package dev.levee.connectors.data.internal;

import dev.levee.connectors.data.Partition;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes partitions' names. */
public final class Partitions {
    private static final Pattern WITH_PARAMETER = Pattern.compile("([a-z-]+)\\s*\\((.*)\\)");

    private Partitions() {}

    /** Reads a partition's name with its parameter. */
    public static Partition parse(String text) {
        String stripped = text.strip();
        Matcher matcher = WITH_PARAMETER.matcher(stripped);
        String name = matcher.matches() ? matcher.group(1) : stripped;
        boolean parameter = matcher.matches();
        return switch (name) {
            case "iid" -> plain(parameter, text, new IidPartition());
            case "by-class" -> plain(parameter, text, new ByClassPartition());
            case "dirichlet" -> new DirichletPartition(number(matcher, text, "dirichlet(0.5)"));
            case "gamma" -> new GammaPartition(number(matcher, text, "gamma(0.5)"));
            default ->
                    throw new IllegalArgumentException(
                            "unknown partition "
                                    + text
                                    + ": it has to be iid, dirichlet(α), by-class or gamma(γ)");
        };
    }

    private static Partition plain(boolean parameter, String text, Partition partition) {
        if (parameter) {
            throw new IllegalArgumentException(
                    "the partition " + partition.name() + " takes no parameter, got " + text);
        }
        return partition;
    }

    private static double number(Matcher matcher, String text, String example) {
        if (matcher.matches()) {
            try {
                return Double.parseDouble(matcher.group(2));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(noNumber(text, example), e);
            }
        }
        throw new IllegalArgumentException(noNumber(text, example));
    }

    private static String noNumber(String text, String example) {
        return "the partition " + text + " needs a number, as in " + example;
    }

    /** A name with its parameter, whole numbers without a decimal point. */
    static String name(String name, double parameter) {
        boolean whole = parameter == Math.rint(parameter) && Math.abs(parameter) < 1e6;
        return name + "(" + (whole ? Long.toString((long) parameter) : "" + parameter) + ")";
    }
}
