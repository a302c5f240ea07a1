/**
 * Which servers a run has, who hears whom, and what they exchange after a step. Read {@link
 * dev.levee.operators.rounds.topology.Topology} first. Of this module it imports the root package
 * only.
 */
package dev.levee.operators.rounds.topology;
