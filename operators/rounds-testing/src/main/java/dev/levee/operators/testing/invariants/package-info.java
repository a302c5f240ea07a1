/**
 * The invariants of the round protocol, checked against every event of a run. Read {@link
 * dev.levee.operators.testing.invariants.Invariants} first. Does not depend on drivers.
 */
package dev.levee.operators.testing.invariants;
