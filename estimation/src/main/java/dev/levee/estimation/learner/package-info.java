/**
 * Regressions that estimate nuisance functions: what a learner is, how one is named with its
 * parameters, and how somebody else's is found. Read {@link dev.levee.estimation.learner.Learner}
 * first, then {@link dev.levee.estimation.learner.Learners}. Nothing here knows of scores, folds or
 * an engine.
 */
package dev.levee.estimation.learner;
