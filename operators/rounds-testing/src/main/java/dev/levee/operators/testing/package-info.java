/**
 * Common parts of all runs in virtual time: the driven parts, disturbances, the calendar of events,
 * and the channels of records. Users call {@link dev.levee.operators.testing.driver.RoundDriver}.
 * Imports no other package of this module.
 */
package dev.levee.operators.testing;
