/**
 * The graph of a model's operators, the devices with their memory and speed, and the links between
 * them. Read {@link dev.levee.operators.placement.graph.OperatorGraph} first. This package may
 * import neither other parts of Levee nor an engine.
 */
package dev.levee.operators.placement.graph;
