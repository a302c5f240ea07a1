package dev.levee.jobs.internal.config;

import dev.levee.k8s.allocator.AllocatorLoop.Rhythm;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;

import java.time.Duration;

/** How an allocator shares a cluster. */
public record AllocatorConfig(
        @Setting(
                        group = "Cluster",
                        label = "URL",
                        help =
                                "Share the slots of the Flink session cluster at this address, such"
                                        + " as http://127.0.0.1:8081.")
                String target,
        @Setting(
                        group = "Decisions",
                        label = "NAME",
                        fallback = Policies.DEFAULT,
                        help = "Who gets how much; levee simulate compares policies.")
                String policy,
        @Setting(
                        group = "Decisions",
                        label = "TIME",
                        fallback = "2min",
                        help = "Time between measurements.")
                Duration measureEvery,
        @Setting(
                        group = "Decisions",
                        label = "TIME",
                        fallback = "4min",
                        help = "Time between decisions; the first comes at once.")
                Duration decideEvery,
        @Setting(
                        group = "Decisions",
                        label = "SHARE",
                        fallback = "0.85",
                        range = "[0, 1]",
                        help = "Batches grow only below this compute utilisation.")
                double computeThreshold,
        @Setting(
                        group = "Decisions",
                        label = "SHARE",
                        fallback = "0.8",
                        range = "[0, 1]",
                        help = "Batches grow only below this memory utilisation.")
                double memoryThreshold,
        @Setting(
                        group = "Decisions",
                        label = "RULE",
                        fallback = "linear",
                        help =
                                "How the learning rate follows the samples of a round: linear or"
                                        + " square-root.")
                Rates learningRateRule,
        @Setting(
                        group = "Memory",
                        label = "FILE",
                        derived = ".levee/allocator.json",
                        help =
                                "What is remembered of jobs, so that the allocator can be ended and"
                                        + " started at any time. One allocator at a time.")
                String store) {

    /** Learning-rate rules by name. */
    public enum Rates {
        LINEAR(LearningRateRule.LINEAR),
        SQUARE_ROOT(LearningRateRule.SQUARE_ROOT);

        private final LearningRateRule rule;

        Rates(LearningRateRule rule) {
            this.rule = rule;
        }
    }

    /** The settings above. */
    public static final SettingsTable<AllocatorConfig> SETTINGS =
            SettingsTable.of(AllocatorConfig.class);

    /**
     * Checks what concerns several settings.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check(KubernetesConfig other) {
        other.check(this);
        if (!other.kubernetes()) {
            checkTarget();
        }
        if (decideEvery.compareTo(measureEvery) < 0) {
            throw new IllegalArgumentException(
                    "--decide-every must be at least --measure-every, which is %s, got %s"
                            .formatted(Values.text(measureEvery), Values.text(decideEvery)));
        }
        named();
    }

    private void checkTarget() {
        if (target == null) {
            throw new IllegalArgumentException(
                    "--target is needed: the address of a Flink cluster, such as http://127.0.0.1:8081, or else --kubernetes");
        }
        Deployment.checkTarget(target);
    }

    /** How often. */
    public Rhythm rhythm() {
        return new Rhythm(measureEvery, decideEvery);
    }

    /** The policy with its thresholds. */
    public Policy named() {
        return Policies.named(
                policy,
                decideEvery.toMillis() / 1e3,
                new Tuning(computeThreshold, memoryThreshold, 0, learningRateRule.rule));
    }
}
