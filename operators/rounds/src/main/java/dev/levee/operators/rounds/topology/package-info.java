/**
 * The servers of a run, their neighbors, and their exchanges of models. Read {@link
 * dev.levee.operators.rounds.topology.Topology} first. Imports only the root package of this
 * module.
 */
package dev.levee.operators.rounds.topology;
