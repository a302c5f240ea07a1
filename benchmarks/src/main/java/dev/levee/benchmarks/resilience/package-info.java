/**
 * Rules and topologies against attacks: which f a rule really tolerates, and what accuracy is left.
 * {@code benchmarks/tables} writes the tables of the documentation with these programs. Read {@link
 * dev.levee.benchmarks.resilience.TrainingResilience} first.
 */
package dev.levee.benchmarks.resilience;
