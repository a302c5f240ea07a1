/**
 * The servers of a run, their neighbors, and the models that they exchange after a step. Read
 * {@link dev.levee.operators.rounds.topology.Topology} first. Imports only the root package of this
 * module.
 */
package dev.levee.operators.rounds.topology;
