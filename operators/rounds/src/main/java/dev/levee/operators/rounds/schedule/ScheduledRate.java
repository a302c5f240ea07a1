package dev.levee.operators.rounds.schedule;

/**
 * The available schedules. {@link StrictMath} gives the same bits on every machine. Names contain
 * numbers as users write them.
 */
sealed interface ScheduledRate extends LearningRate {
    /** The same step size in every round. */
    record Constant(double initial) implements ScheduledRate {
        @Override
        public String name() {
            return "constant";
        }

        @Override
        public double at(long round) {
            return initial;
        }
    }

    /** The step size is multiplied by a factor at regular intervals. */
    record Step(double initial, long every, double factor) implements ScheduledRate {
        @Override
        public String name() {
            return "step(every=" + every + ", factor=" + factor + ")";
        }

        @Override
        public double at(long round) {
            return initial * StrictMath.pow(factor, (double) (round / every));
        }
    }

    /** The step size is multiplied by a factor in every round. */
    record Exponential(double initial, double decay) implements ScheduledRate {
        @Override
        public String name() {
            return "exponential(decay=" + decay + ")";
        }

        @Override
        public double at(long round) {
            return initial * StrictMath.pow(decay, round);
        }
    }

    /** The initial step size is divided by a linear function of the round. */
    record Inverse(double initial, double decay) implements ScheduledRate {
        @Override
        public String name() {
            return "inverse(decay=" + decay + ")";
        }

        @Override
        public double at(long round) {
            return initial / (1 + decay * round);
        }
    }

    /** Half a cosine, from the initial step size to zero at the end of the run. */
    record Cosine(double initial, long rounds) implements ScheduledRate {
        @Override
        public String name() {
            return "cosine";
        }

        @Override
        public double at(long round) {
            double progress = Math.min(1.0, (double) round / rounds);
            return initial * (1 + StrictMath.cos(Math.PI * progress)) / 2;
        }
    }

    /** Another schedule with a linear ramp at its start. */
    record Warmup(long rounds, LearningRate then) implements ScheduledRate {
        @Override
        public String name() {
            return "warmup(rounds=" + rounds + ") | " + then.name();
        }

        @Override
        public double at(long round) {
            return then.at(round) * Math.min(1.0, (round + 1.0) / rounds);
        }
    }
}
