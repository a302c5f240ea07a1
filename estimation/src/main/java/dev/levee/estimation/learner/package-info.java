/**
 * Regressions that estimate nuisance functions: the learner interface, learners' names with
 * parameters, and the discovery of providers. Read {@link dev.levee.estimation.learner.Learner}
 * first, then {@link dev.levee.estimation.learner.Learners}. This package does not depend on
 * scores, folds or an engine.
 */
package dev.levee.estimation.learner;
