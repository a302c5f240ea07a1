/**
 * The promises of the round protocol, checked against everything that happens in a run. Read {@link
 * dev.levee.operators.testing.invariants.Invariants} first. Knows no driver.
 */
package dev.levee.operators.testing.invariants;
