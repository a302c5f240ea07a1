package dev.levee.learners.internal.djl.natives;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A machine's operating system and processor, from which the names of native libraries follow.
 *
 * @param system the value of Java's {@code os.name}
 * @param processor the value of Java's {@code os.arch}
 */
public record NativePlatform(String system, String processor) {
    /**
     * Platforms for which DJL publishes PyTorch's natives. The build uses those of its own machine.
     */
    static final List<String> PUBLISHED =
            List.of("linux-x86_64", "linux-aarch64", "osx-aarch64", "win-x86_64");

    public static NativePlatform current() {
        return new NativePlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** The Maven classifier of the platform's natives, empty if there are none. */
    public Optional<String> classifier() {
        String name = prefix() + "-" + architecture();
        return PUBLISHED.stream().filter(name::equals).findFirst();
    }

    private String prefix() {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return "osx";
        }
        return name.startsWith("windows") ? "win" : name;
    }

    private String architecture() {
        return switch (processor.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> processor;
        };
    }

    /** The reason why PyTorch cannot be loaded; one sentence. */
    public String missing() {
        return classifier()
                .map(
                        name ->
                                "PyTorch cannot be loaded: the class path needs ai.djl:api,"
                                        + " ai.djl.pytorch:pytorch-engine,"
                                        + " ai.djl.pytorch:pytorch-jni:2.7.1-0.35.1 and"
                                        + " ai.djl.pytorch:pytorch-native-cpu:2.7.1:"
                                        + name)
                .orElseGet(
                        () ->
                                "PyTorch cannot be loaded: there are natives for "
                                        + String.join(", ", PUBLISHED)
                                        + ", but this is %s on %s; --model logistic needs none"
                                                .formatted(system, processor));
    }
}
