package dev.levee.k8s.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of {@code k8s/manifests}. */
final class Manifests {
    static final Path HOME = Path.of(System.getProperty("levee.home")).normalize();
    static final Path DIRECTORY = HOME.resolve("k8s/manifests");
    static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** One resource and where it is written. */
    record Resource(Path file, JsonNode content) {
        String kind() {
            return content.path("kind").asText();
        }

        String name() {
            return content.path("metadata").path("name").asText();
        }

        @Override
        public String toString() {
            return kind() + " " + name() + " in " + file.getFileName();
        }
    }

    private Manifests() {}

    /** Every resource in every YAML file, as written. */
    static List<Resource> sources() {
        return files("").stream()
                .filter(file -> !isKustomization(file))
                .flatMap(file -> read(file).stream())
                .filter(resource -> resource.content().has("kind"))
                .toList();
    }

    /** The one resource of a kind and name, as written. */
    static Resource source(String kind, String name) {
        return sources().stream()
                .filter(each -> each.kind().equals(kind) && each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<Path> kustomizations() {
        return files("").stream().filter(Manifests::isKustomization).toList();
    }

    /** What {@code kubectl kustomize} makes of a directory; empty if there is no kubectl. */
    static Optional<List<Resource>> rendered(Path kustomization) throws IOException {
        Process process;
        try {
            process =
                    new ProcessBuilder("kubectl", "kustomize", kustomization.toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException e) {
            return Optional.empty();
        }
        String yaml = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError("kubectl kustomize " + kustomization + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return Optional.of(parse(kustomization, yaml));
    }

    private static boolean isKustomization(Path file) {
        return file.endsWith("kustomization.yaml");
    }

    private static List<Path> files(String under) {
        try (Stream<Path> files = Files.walk(DIRECTORY.resolve(under))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Resource> read(Path file) {
        try {
            return parse(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Resource> parse(Path file, String yaml) throws IOException {
        List<Resource> resources = new ArrayList<>();
        try (var parser = YAML.getFactory().createParser(yaml)) {
            YAML.readValues(parser, JsonNode.class)
                    .forEachRemaining(node -> resources.add(new Resource(file, node)));
        }
        return resources;
    }
}
