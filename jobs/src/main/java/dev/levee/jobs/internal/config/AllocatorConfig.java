package dev.levee.jobs.internal.config;

import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.k8s.allocator.AllocatorLoop.Rhythm;
import dev.levee.k8s.allocator.LearningRateRule;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Settings of an allocator. */
public record AllocatorConfig(
        @Setting(
                        group = "Cluster",
                        label = "URL",
                        help =
                                "Manage the slots of the Flink session cluster at this "
                                        + "address, such as http://127.0.0.1:8081.")
                String target,
        @Setting(
                        group = "Decisions",
                        label = "NAME",
                        fallback = Policies.DEFAULT,
                        help = "Allocation policy; levee simulate compares policies.")
                String policy,
        @Setting(label = "TIME", fallback = "2min", help = "Time between measurements.")
                Duration measureEvery,
        @Setting(
                        label = "TIME",
                        fallback = "4min",
                        help = "Time between decisions; the first one is made at once.")
                Duration decideEvery,
        @Setting(
                        label = "SHARE",
                        derived = "0.85",
                        range = "[0, 1]",
                        help =
                                "With era, era-no-workers, era-pause, era-curve and era-nodes: a"
                                        + " batch grows only while compute utilization is below"
                                        + " this share; 1 sets no limit.")
                Double computeThreshold,
        @Setting(
                        label = "SHARE",
                        derived = "0.8",
                        range = "[0, 1]",
                        help =
                                "With the same policies: a batch grows only while memory"
                                        + " utilization is below this share; 1 sets no limit.")
                Double memoryThreshold,
        @Setting(
                        label = "RULE",
                        fallback = "linear",
                        help =
                                "How the learning rate follows the samples per round: linear "
                                        + "or square-root.")
                Rates learningRateRule,
        @Setting(
                        label = "TIME",
                        derived = "1h, or 0s with --kubernetes",
                        help =
                                "With era-goodput, era-goodput-unknown and power-mean: a waiting"
                                        + " job runs after this time at the latest; with 0s, no"
                                        + " job is paused.")
                String longestWait,
        @Setting(
                        label = "RHO",
                        derived = "no bound",
                        range = "[1, inf)",
                        help =
                                "A job whose finish-time fairness would exceed this gets an "
                                        + "equal share of the slots for itself, whatever the "
                                        + "policy.")
                Double rhoBound,
        @Setting(
                        group = "State",
                        label = "FILE",
                        derived = ".levee/allocator.json",
                        help = "File for the allocator's state. One allocator per file.")
                String store,
        @Setting(
                        label = "DIR",
                        derived = "queue next to --store",
                        help = "Folder in which the runs of levee train --queue wait.")
                String queue) {

    /** The learning-rate rules. */
    public enum Rates {
        LINEAR(LearningRateRule.LINEAR),
        SQUARE_ROOT(LearningRateRule.SQUARE_ROOT);

        private final LearningRateRule rule;

        Rates(LearningRateRule rule) {
            this.rule = rule;
        }
    }

    /** All settings of this record. */
    public static final SettingsTable<AllocatorConfig> SETTINGS =
            SettingsTable.of(AllocatorConfig.class);

    /**
     * Checks combinations of settings.
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
        named(Duration.ZERO);
        checkUse("--compute-threshold", computeThreshold, Policy::usesThresholds);
        checkUse("--memory-threshold", memoryThreshold, Policy::usesThresholds);
        checkUse("--longest-wait", longestWait, Policy::limitsWaits);
        if (other.kubernetes() && queue != null) {
            throw new IllegalArgumentException(
                    "--queue is for --target: with --kubernetes a job waits as a resource with"
                            + " state: suspended");
        }
    }

    private void checkUse(String option, Object given, Predicate<Policy> use) {
        if (given != null) {
            Policies.checkUse(option, use, List.of(policy));
        }
    }

    private void checkTarget() {
        if (target == null) {
            throw new IllegalArgumentException(
                    "--target is needed: the address of a Flink cluster, such as http://127.0.0.1:8081, or else --kubernetes");
        }
        Deployment.checkTarget(target);
    }

    /** The intervals of measurements and decisions. */
    public Rhythm rhythm() {
        return new Rhythm(measureEvery, decideEvery);
    }

    /**
     * Creates the policy with its thresholds.
     *
     * @param usualWait the longest wait if none was given
     */
    public Policy named(Duration usualWait) {
        Duration wait =
                longestWait == null
                        ? usualWait
                        : Durations.notNegative("--longest-wait", longestWait);
        return Policies.named(
                policy,
                decideEvery.toMillis() / 1e3,
                new Tuning(
                        computeThreshold == null ? Tuning.DEFAULT.compute() : computeThreshold,
                        memoryThreshold == null ? Tuning.DEFAULT.memory() : memoryThreshold,
                        wait.toMillis() / 1e3,
                        learningRateRule.rule,
                        rhoBound == null ? Double.POSITIVE_INFINITY : rhoBound));
    }
}
