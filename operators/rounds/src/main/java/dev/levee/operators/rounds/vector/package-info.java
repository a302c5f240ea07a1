/**
 * The vector of a model's parameters: its slices in blocks, the trainable coordinates, values in
 * fixed point, and its digest. Read {@link dev.levee.operators.rounds.vector.Slices} first. Imports
 * no other package of this module.
 */
package dev.levee.operators.rounds.vector;
