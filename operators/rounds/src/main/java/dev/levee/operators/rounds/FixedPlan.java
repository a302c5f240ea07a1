package dev.levee.operators.rounds;

/** Everybody in every round; settings are a function of the round. */
record FixedPlan() implements Plan {
    private static final long serialVersionUID = 1L;

    /** The settings of round {@code round} of a run that stays as it starts. */
    static Settings settings(Training training, long round) {
        return settings(training, round, Cohort.first(training.workers()));
    }

    /** The same, of those who take part. */
    static Settings settings(Training training, long round, Cohort cohort) {
        boolean stop = round >= training.rounds();
        return new Settings(
                cohort,
                training.byzantine(),
                Math.min(training.admission().quorum(), cohort.size()),
                training.data().batchSize(),
                stop ? 0 : training.step().learningRate().at(round),
                stop,
                stop || round % training.evalInterval() == 0,
                round * cohort.size() * training.data().batchSize());
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return (before, round) -> settings(training, round);
    }
}
