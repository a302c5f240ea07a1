package dev.levee.jobs.internal.config;

import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.k8s.kubernetes.ResourceScope;

import java.util.Optional;

/** The jobs of a Kubernetes cluster that an allocator manages. */
public record KubernetesConfig(
        @Setting(
                        group = "Kubernetes",
                        label = "",
                        help =
                                "Manage the FlinkDeployments and FlinkSessionJobs that have the"
                                        + " label levee.dev/elastic=true.")
                boolean kubernetes,
        @Setting(
                        label = "NAME",
                        derived = "that of KUBECONFIG or of the pod",
                        help = "Namespace of the jobs and of the allocator's resources.")
                String namespace,
        @Setting(group = "Kubernetes", label = "", help = "Manage jobs of all namespaces.")
                boolean allNamespaces,
        @Setting(
                        label = "LABELS",
                        help =
                                "Manage only jobs that also have these labels, such as "
                                        + "team=vision.")
                String selector,
        @Setting(
                        label = "N",
                        derived = "those of the session cluster",
                        range = "[0, 1000000]",
                        help =
                                "Workers that fit. Required unless all jobs run on one session"
                                        + " cluster in standalone mode.")
                Integer slots,
        @Setting(
                        label = "NAME",
                        derived = KubernetesConfig.NAME,
                        help =
                                "Name of the Lease that elects one allocator and of the ConfigMap"
                                        + " that holds its state.")
                String name) {
    private static final String NAME = "levee-allocator";

    /** All settings of this record. */
    public static final SettingsTable<KubernetesConfig> SETTINGS =
            SettingsTable.of(KubernetesConfig.class);

    /**
     * Checks these settings against those of the allocator.
     *
     * @throws IllegalArgumentException if they contradict each other; one sentence
     */
    public void check(AllocatorConfig allocator) {
        if (!kubernetes) {
            requireNone("--namespace", namespace);
            requireNone("--selector", selector);
            requireNone("--slots", slots);
            requireNone("--name", name);
            requireNone("--all-namespaces", allNamespaces ? "" : null);
            return;
        }
        if (allocator.target() != null) {
            throw new IllegalArgumentException(
                    "--target and --kubernetes exclude each other: the first manages one "
                            + "Flink cluster, the second all jobs of the operator");
        }
        if (allocator.store() != null) {
            throw new IllegalArgumentException(
                    "--store is for --target; with --kubernetes the ConfigMap named by --name is the store");
        }
    }

    /** Name of the Lease and of the ConfigMap. */
    public String lockName() {
        return name == null ? NAME : name;
    }

    private static void requireNone(String option, Object value) {
        if (value != null) {
            throw new IllegalArgumentException(option + " needs --kubernetes");
        }
    }

    /**
     * The resources that the allocator manages.
     *
     * @param home the allocator's own namespace
     */
    public ResourceScope scope(String home) {
        return new ResourceScope(
                allNamespaces ? Optional.empty() : Optional.of(home),
                Optional.ofNullable(selector));
    }
}
