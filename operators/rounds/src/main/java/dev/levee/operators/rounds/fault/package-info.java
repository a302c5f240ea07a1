/**
 * Faults of participants that are counted, and the two kinds of failure of a run. Read {@link
 * dev.levee.operators.rounds.fault.Rejection} first. Imports no other package of this module.
 */
package dev.levee.operators.rounds.fault;
