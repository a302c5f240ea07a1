package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.Partition;
import dev.levee.connectors.data.PartitionFactory;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes Levee's own partitions by name. */
public final class Partitions {
    private Partitions() {}

    /** Makes {@code iid}. */
    public static final class Iid implements PartitionFactory {
        @Override
        public String name() {
            return "iid";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            return plain(parameter, new IidPartition());
        }
    }

    /** Makes {@code by-class}. */
    public static final class ByClass implements PartitionFactory {
        @Override
        public String name() {
            return "by-class";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            return plain(parameter, new ByClassPartition());
        }
    }

    /** Makes {@code natural}. */
    public static final class Natural implements PartitionFactory {
        @Override
        public String name() {
            return "natural";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            return plain(parameter, new NaturalPartition());
        }
    }

    /** Makes {@code dirichlet(α)}. */
    public static final class Dirichlet implements PartitionFactory {
        @Override
        public String name() {
            return "dirichlet";
        }

        @Override
        public String form() {
            return "dirichlet(α)";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            return new DirichletPartition(number(name(), parameter));
        }
    }

    /** Makes {@code gamma(γ)}. */
    public static final class Gamma implements PartitionFactory {
        @Override
        public String name() {
            return "gamma";
        }

        @Override
        public String form() {
            return "gamma(γ)";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            return new GammaPartition(number(name(), parameter));
        }
    }

    /** Makes {@code fegan(max_class=…,max_samples=…)}. */
    public static final class Fegan implements PartitionFactory {
        private static final Pattern PARAMETER =
                Pattern.compile(
                        "\\s*max_class\\s*=\\s*(\\d{1,9})\\s*,\\s*max_samples\\s*=\\s*(\\d{1,9})\\s*");

        @Override
        public String name() {
            return "fegan";
        }

        @Override
        public String form() {
            return "fegan(max_class=C,max_samples=S)";
        }

        @Override
        public Partition create(Optional<String> parameter) {
            Matcher numbers = PARAMETER.matcher(parameter.orElse(""));
            if (!numbers.matches()) {
                throw new IllegalArgumentException(
                        "the partition fegan%s needs two whole numbers, as in"
                                        .formatted(
                                                parameter
                                                        .map(value -> "(" + value + ")")
                                                        .orElse(""))
                                + " fegan(max_class=40,max_samples=500)");
            }
            return new FeganPartition(
                    Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
        }
    }

    private static Partition plain(Optional<String> parameter, Partition partition) {
        if (parameter.isPresent()) {
            throw new IllegalArgumentException(
                    "the partition %s takes no parameter, got %s(%s)"
                            .formatted(partition.name(), partition.name(), parameter.get()));
        }
        return partition;
    }

    private static double number(String name, Optional<String> parameter) {
        try {
            return Double.parseDouble(parameter.orElse(""));
        } catch (NumberFormatException e) {
            String given = parameter.map(value -> "(" + value + ")").orElse("");
            throw new IllegalArgumentException(
                    "the partition %s%s needs a number, as in %s(0.5)".formatted(name, given, name),
                    e);
        }
    }

    /** Writes a name with its parameter; whole numbers have no decimal point. */
    static String name(String name, double parameter) {
        boolean whole = parameter == Math.rint(parameter) && Math.abs(parameter) < 1e6;
        return name + "(" + (whole ? Long.toString((long) parameter) : "" + parameter) + ")";
    }
}
