package dev.levee.k8s.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.FlinkSessionJob;
import org.apache.flink.kubernetes.operator.config.FlinkConfigManager;
import org.apache.flink.kubernetes.operator.validation.DefaultValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Manifests against what defines them, field by field. */
class ManifestsTest {
    static List<Manifests.Resource> sources() {
        return Manifests.sources();
    }

    static List<Path> kustomizations() {
        return Manifests.kustomizations();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void hasOnlyFieldsOfItsKind(Manifests.Resource resource) throws IOException {
        assertThat(Kinds.problems(resource.content())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void namesFilesThatExist(Path kustomization) throws IOException {
        JsonNode content = Manifests.YAML.readTree(Files.readString(kustomization));
        assertThat(content.get("resources")).isNotEmpty();
        for (JsonNode resource : content.get("resources")) {
            Path named = kustomization.resolveSibling(resource.asText());
            assertThat(Files.isDirectory(named) ? named.resolve("kustomization.yaml") : named)
                    .exists();
        }
    }

    @ParameterizedTest
    @MethodSource("kustomizations")
    void rendersToResourcesOfTheirKinds(Path kustomization) throws IOException {
        Optional<List<Manifests.Resource>> rendered = Manifests.rendered(kustomization.getParent());
        assumeTrue(rendered.isPresent(), "there is no kubectl here to render it");
        assertThat(rendered.get()).isNotEmpty();
        for (Manifests.Resource resource : rendered.get()) {
            assertThat(Kinds.problems(resource.content())).as("%s", resource).isEmpty();
        }
    }

    @Test
    void aFieldTooManyIsFound() throws IOException {
        ObjectNode deployment =
                Manifests.source("FlinkDeployment", "training-job").content().deepCopy();
        ((ObjectNode) deployment.at("/spec/podTemplate/spec/containers/0")).put("imag", "levee");
        ((ObjectNode) deployment.at("/spec/job")).put("parallelism", "two");
        assertThat(Kinds.problems(deployment))
                .containsExactlyInAnyOrder(
                        "spec.podTemplate.spec.containers[0].imag is unknown",
                        "spec.job.parallelism must be of type integer, is \"two\"");

        ObjectNode allocator =
                Manifests.source("Deployment", "levee-allocator").content().deepCopy();
        ((ObjectNode) allocator.get("spec")).put("replica", 1);
        assertThat(Kinds.problems(allocator)).singleElement().asString().contains("replica");

        ObjectNode monitor = Manifests.source("PodMonitor", "levee").content().deepCopy();
        ((ObjectNode) monitor.at("/spec/podMetricsEndpoints/0")).put("prot", "metrics");
        assertThat(Kinds.problems(monitor)).singleElement().asString().contains("prot");
    }

    @Test
    void theOperatorAcceptsItsResources() throws IOException {
        DefaultValidator validator = new DefaultValidator(new FlinkConfigManager(conf -> {}));
        FlinkDeployment session = deployment("session-cluster");
        assertThat(validator.validateDeployment(session)).isEmpty();
        assertThat(validator.validateDeployment(deployment("training-job"))).isEmpty();
        FlinkSessionJob job =
                Kinds.STRICT.treeToValue(
                        Manifests.source("FlinkSessionJob", "session-job").content(),
                        FlinkSessionJob.class);
        assertThat(validator.validateSessionJob(job, Optional.of(session))).isEmpty();
    }

    @Test
    void inAllNamespacesTheAllocatorMayDoTheSameToJobs() {
        Set<String> rights = Rights.of(Manifests.source("Role", "levee-allocator").content());
        rights.removeIf(right -> right.contains(" leases."));
        assertThat(Rights.of(Manifests.source("ClusterRole", "levee-allocator").content()))
                .isEqualTo(rights);
    }

    private static FlinkDeployment deployment(String name) throws IOException {
        JsonNode content = Manifests.source("FlinkDeployment", name).content();
        return Kinds.STRICT.treeToValue(
                Kinds.rewritten(content, Kinds.newestVersion()), FlinkDeployment.class);
    }
}
