package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.federated.FederationResolver.naming;

import dev.levee.federated.Algorithm;
import dev.levee.federated.Timing;
import dev.levee.federated.WithoutBarrier;
import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.Deadline;
import dev.levee.gar.GradientScored;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.training.RunResult;

import java.util.List;
import java.util.Map;

/** How rounds with a barrier differ from rounds without one. */
public enum Pacing {
    /** Rounds ask devices and wait for them. */
    BARRIER {
        @Override
        int share(int devices) {
            return devices / 40;
        }

        @Override
        List<String> samplings(List<String> usual) {
            return usual;
        }

        @Override
        AsynchronySettings completed(
                AsynchronySettings given, Algorithm algorithm, int perRound, Rule rule) {
            refuse("replay", given.replay(), algorithm);
            refuse("buffer", given.buffer(), algorithm);
            refuse("staleness-weight", given.stalenessWeight(), algorithm);
            refuse("max-staleness", given.maxStaleness(), algorithm);
            return given;
        }

        @Override
        String speed(String given, Algorithm algorithm, boolean again) {
            refuse("speed", VirtualTimeSettings.WALL.equals(given) ? given : null, algorithm);
            return given;
        }

        @Override
        Timing timing(FederationConfig config, boolean virtual, Deadline deadline) {
            return virtual
                    ? new Timing.VirtualBarrier(config.time().time(), deadline)
                    : Timing.BARRIER;
        }

        @Override
        public int rows(FederationConfig config) {
            return config.devices().perRound();
        }

        @Override
        public String round(FederationConfig config) {
            return config.devices().perRound() + " in a round";
        }

        @Override
        public String rounds(FederationConfig config) {
            long rounds = config.length().rounds();
            return (rounds == 1 ? "1 round that asks" : rounds + " rounds that ask")
                    + " %d of %d devices"
                            .formatted(config.devices().perRound(), config.devices().devices());
        }

        private void refuse(String option, Object value, Algorithm algorithm) {
            if (value != null) {
                throw new IllegalArgumentException(
                        "--%s is for fedasync, fedbuff and zeno++, got %s with --algorithm %s"
                                .formatted(option, value, algorithm.word()));
            }
        }
    },
    /** Idle devices pull the newest model, and contributions count when they arrive. */
    NO_BARRIER {
        private static final int MAX_STALENESS = 20;

        /** Further settings that such devices must know. */
        private static final List<String> TOLD = List.of("algorithm", "server-step");

        @Override
        int share(int devices) {
            return devices / 10;
        }

        @Override
        List<String> samplings(List<String> usual) {
            return List.of("uniform");
        }

        @Override
        AsynchronySettings completed(
                AsynchronySettings given, Algorithm algorithm, int perRound, Rule rule) {
            int half = algorithm == Algorithm.FEDBUFF ? (perRound + 1) / 2 : 1;
            String law = rule instanceof GradientScored ? "constant" : "polynomial(0.5)";
            return new AsynchronySettings(
                    given.buffer() != null ? given.buffer() : Integer.valueOf(half),
                    given.stalenessWeight() != null ? given.stalenessWeight() : law,
                    given.maxStaleness() != null
                            ? given.maxStaleness()
                            : Integer.valueOf(MAX_STALENESS),
                    given.replay());
        }

        @Override
        String speed(String given, Algorithm algorithm, boolean again) {
            return given != null ? given : again ? VirtualTimeSettings.WALL : "lognormal(1)";
        }

        @Override
        boolean reusesGradient(Rule rule) {
            return rule instanceof GradientScored;
        }

        @Override
        List<String> told() {
            return TOLD;
        }

        @Override
        Timing timing(FederationConfig config, boolean virtual, Deadline deadline) {
            if (!deadline.equals(Deadline.NONE) || config.admission().least() > 1) {
                throw new IllegalArgumentException(
                        "asynchronous runs have no barrier, so --deadline and --min-devices do "
                                + "not apply");
            }
            Integer every = config.aggregation().oracleEvery();
            Asynchrony asynchrony = config.asynchrony().asynchrony(every);
            if (virtual) {
                return new WithoutBarrier.Pulled(asynchrony, config.time().time());
            }
            return config.asynchrony().replay() != null
                    ? new WithoutBarrier.Recorded(asynchrony, config.asynchrony().log())
                    : new WithoutBarrier.Arriving(asynchrony);
        }

        @Override
        boolean mixesOverKafka() {
            return true;
        }

        @Override
        public Map<String, String> overKafka() {
            return Map.of("speed", VirtualTimeSettings.WALL);
        }

        @Override
        public int rows(FederationConfig config) {
            return config.asynchrony().buffer();
        }

        @Override
        public String round(FederationConfig config) {
            return rows(config) + " contributions";
        }

        @Override
        public String rounds(FederationConfig config) {
            int devices = config.devices().devices();
            long versions = config.length().rounds();
            return config.time().wall()
                    ? "%d versions, each of the first %d contributions of %d devices"
                            .formatted(versions, rows(config), devices)
                    : "%d versions, each of %d contributions, %d of %d devices at a time"
                            .formatted(
                                    versions, rows(config), config.devices().perRound(), devices);
        }

        @Override
        public String warning(long rounds) {
            return rounds > RunResult.MOST_REPORTS
                    ? "\nRuns of more than %,d versions write no decisions.csv, so they cannot be replayed with --replay"
                            .formatted(RunResult.MOST_REPORTS)
                    : "";
        }
    };

    public static Pacing of(Algorithm algorithm) {
        return algorithm.asynchronous() ? NO_BARRIER : BARRIER;
    }

    /** Default number of devices in a round, or at the same time. */
    abstract int share(int devices);

    /** Default samplings; pacing with a barrier uses the given ones. */
    abstract List<String> samplings(List<String> usual);

    /**
     * Fills in the settings of contributions with the algorithm's defaults.
     *
     * @param rule null if it is unknown
     * @throws IllegalArgumentException if a setting has no effect; one sentence
     */
    abstract AsynchronySettings completed(
            AsynchronySettings given, Algorithm algorithm, int perRound, Rule rule);

    /**
     * Checks the speed of devices and fills in its default.
     *
     * @param again true for a replay
     * @throws IllegalArgumentException if the given speed has no effect; one sentence
     */
    abstract String speed(String given, Algorithm algorithm, boolean again);

    /** True if the server may reuse one gradient of its own for several versions. */
    boolean reusesGradient(Rule rule) {
        return false;
    }

    /** Settings that outside devices must know, in addition to those of all devices. */
    List<String> told() {
        return List.of();
    }

    abstract Timing timing(FederationConfig config, boolean virtual, Deadline deadline);

    /** Creates the timing of a federation, in virtual or real time. */
    final Timing timing(FederationConfig config) {
        boolean virtual = config.time().virtual();
        return timing(
                config,
                virtual,
                virtual ? naming(config.admission()::virtualDeadline) : Deadline.NONE);
    }

    /** True if the server may mix the models of outside devices. */
    boolean mixesOverKafka() {
        return false;
    }

    /** Default settings of runs over Kafka, by option. */
    public Map<String, String> overKafka() {
        return Map.of();
    }

    /** Number of rows of a round. */
    public abstract int rows(FederationConfig config);

    /** The size of a round, in words. */
    public abstract String round(FederationConfig config);

    /** The rounds of a run, in words. */
    public abstract String rounds(FederationConfig config);

    /** A warning about a long run with outside devices, empty if there is none. */
    public String warning(long rounds) {
        return "";
    }
}
