/**
 * What is placed and on what: the directed acyclic graph of a model's operators, devices with their
 * memory and speed, and the links between them. Read {@link
 * dev.levee.operators.placement.graph.OperatorGraph} first. Nothing of Levee and no engine may be
 * imported here.
 */
package dev.levee.operators.placement.graph;
