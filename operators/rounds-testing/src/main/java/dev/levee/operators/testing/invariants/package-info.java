/**
 * The invariants of the round protocol, which are checked at every event of a run. Read {@link
 * dev.levee.operators.testing.invariants.Invariants} first. Does not depend on drivers.
 */
package dev.levee.operators.testing.invariants;
