package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.plan.Deadline;
import dev.levee.gar.Rule;
import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.operators.rounds.training.Admission.NonFinite;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.time.Duration;

/** The conditions under which contributions count, and how long a round waits for them. */
public record AdmissionSettings(
        @Setting(
                        group = "Rounds",
                        label = "TIME",
                        derived = "wait for all",
                        help =
                                "How long a round is open; later devices are late. With --speed,"
                                        + " the time is virtual and may be adaptive(K): the median"
                                        + " of the devices' times plus K (3) median deviations.")
                String deadline,
        @Setting(
                        label = "N",
                        derived = "1 with --deadline or --speed",
                        range = "[1, 10000]",
                        help = "Contributions that a round waits for even after --deadline.")
                Integer minDevices,
        @Setting(
                        label = "TIME",
                        derived = "unlimited",
                        help =
                                "How long a round waits for missing devices, which then count"
                                        + " toward --byzantine.")
                Duration roundTimeout,
        @Setting(
                        label = "CHOICE",
                        derived = "reject, or keep for rules that reject such rows themselves",
                        help =
                                "reject: contributions with NaN or infinity are proven faults;"
                                        + " keep: the rule gets them.")
                NonFinite nonFinite) {
    private static final double NANOS = 1e9;

    /**
     * Fills in defaults that depend on the rule.
     *
     * @param rule null if it is unknown
     * @param timed true if the speed of devices is set
     * @throws IllegalArgumentException if a setting has no effect without another; one sentence
     */
    AdmissionSettings completed(Rule rule, boolean timed) {
        if (minDevices != null && !timed && deadline == null) {
            throw new IllegalArgumentException(
                    "--min-devices is for runs with --deadline or --speed");
        }
        NonFinite usual = rule != null && rule.refuses() ? NonFinite.KEEP : NonFinite.REJECT;
        return new AdmissionSettings(
                deadline, minDevices, roundTimeout, nonFinite != null ? nonFinite : usual);
    }

    /**
     * Applies these settings to a run.
     *
     * @param virtual true if its rounds close in virtual time, by {@link #virtualDeadline}
     */
    TrainingBuilder admit(TrainingBuilder run, boolean virtual) {
        return run.deadline(virtual ? null : realDeadline())
                .least(least())
                .roundTimeout(roundTimeout)
                .nonFinite(nonFinite);
    }

    /** The minimum number of contributions with which a round may close. */
    int least() {
        return minDevices == null ? 1 : minDevices;
    }

    /** The deadline of rounds in virtual time. */
    Deadline virtualDeadline() {
        if (deadline == null) {
            return Deadline.NONE;
        }
        if (adaptive()) {
            return named("--deadline", () -> Deadline.adaptive(deadline));
        }
        double nanos = Durations.positive("--deadline", deadline).toNanos();
        return new Deadline(nanos / NANOS, Double.NaN);
    }

    /** The deadline of rounds in real time, null if they have none. */
    private Duration realDeadline() {
        if (deadline == null) {
            return null;
        }
        if (adaptive()) {
            throw new IllegalArgumentException(
                    "--deadline %s needs --speed, because it is learned in virtual time"
                            .formatted(deadline));
        }
        return Durations.positive("--deadline", deadline);
    }

    private boolean adaptive() {
        return deadline.startsWith("adaptive");
    }
}
