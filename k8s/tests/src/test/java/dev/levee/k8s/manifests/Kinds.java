package dev.levee.k8s.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;

import org.apache.flink.kubernetes.operator.api.spec.FlinkVersion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks resources against what defines their kinds. */
final class Kinds {
    private static final Path CRDS =
            Manifests.HOME.resolve("k8s/tests/target/crds/META-INF/fabric8");

    private static final Map<String, String> OLDER_OPTIONS =
            Map.of(
                    "execution.checkpointing.dir", "state.checkpoints.dir",
                    "execution.checkpointing.savepoint-dir", "state.savepoints.dir");

    /** Reads a resource into the client's model and refuses fields that the model lacks. */
    static final ObjectMapper STRICT =
            new ObjectMapper()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .setAnnotationIntrospector(
                            new JacksonAnnotationIntrospector() {
                                @Override
                                public Boolean hasAnySetter(Annotated annotated) {
                                    return false;
                                }
                            });

    private Kinds() {}

    /** What is wrong with a resource. */
    static List<String> problems(JsonNode resource) throws IOException {
        return resource.path("apiVersion").asText().startsWith("flink.apache.org/")
                ? new Schema(definition(resource)).problems(rewritten(resource, "v1_20"))
                : modelProblems(resource);
    }

    /**
     * A resource for an operator that does not know Flink 2.2, as the newest one on Maven Central
     * does not: an older {@code flinkVersion}, and the two options that had other names then.
     */
    static JsonNode rewritten(JsonNode resource, String flinkVersion) {
        JsonNode copy = resource.deepCopy();
        if (copy.path("spec").has("flinkVersion")) {
            ((ObjectNode) copy.get("spec")).put("flinkVersion", flinkVersion);
        }
        if (copy.at("/spec/flinkConfiguration") instanceof ObjectNode configuration) {
            OLDER_OPTIONS.forEach((now, then) -> rename(configuration, now, then));
        }
        return copy;
    }

    private static void rename(ObjectNode object, String from, String to) {
        if (object.has(from)) {
            object.set(to, object.remove(from));
        }
    }

    /** The newest version that the operator of these tests knows. */
    static String newestVersion() {
        FlinkVersion[] versions = FlinkVersion.values();
        return versions[versions.length - 1].name();
    }

    private static JsonNode definition(JsonNode resource) throws IOException {
        String plural = resource.get("kind").asText().toLowerCase(Locale.ROOT) + "s";
        return Manifests.YAML.readTree(
                Files.readString(CRDS.resolve(plural + ".flink.apache.org-v1.yml")));
    }

    private static List<String> modelProblems(JsonNode resource) {
        Class<?> kind = Serialization.unmarshal(resource.toString()).getClass();
        if (kind == GenericKubernetesResource.class) {
            return List.of("kind " + resource.get("kind") + " is unknown");
        }
        try {
            STRICT.treeToValue(resource, kind);
            return List.of();
        } catch (JsonProcessingException e) {
            return List.of(e.getOriginalMessage());
        }
    }
}
