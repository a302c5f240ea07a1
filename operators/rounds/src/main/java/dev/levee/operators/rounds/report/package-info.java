/**
 * What a run reports besides its rounds: scores of models, counts of participants and transfers,
 * exchanges between servers, and what followed a lost server. Read {@link
 * dev.levee.operators.rounds.report.EvaluationReport} first. Imports no other package of this
 * module.
 */
package dev.levee.operators.rounds.report;
