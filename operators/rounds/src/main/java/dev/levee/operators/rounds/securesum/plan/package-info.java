/**
 * The numbers of neighbors and shares that a secure sum needs for devices that may leave or
 * collude. Read {@link dev.levee.operators.rounds.securesum.plan.SumPlan} first. Imports nothing of
 * Levee.
 */
package dev.levee.operators.rounds.securesum.plan;
