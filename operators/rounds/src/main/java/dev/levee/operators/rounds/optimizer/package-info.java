/**
 * Steps of a server's model along the aggregate. Read {@link
 * dev.levee.operators.rounds.optimizer.Optimizer} first. Imports no other package of this module.
 */
package dev.levee.operators.rounds.optimizer;
