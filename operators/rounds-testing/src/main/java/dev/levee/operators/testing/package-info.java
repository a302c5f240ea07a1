/**
 * Common parts of all runs in virtual time: the driven parts, disturbances, the calendar of events,
 * and the channels of records. {@link dev.levee.operators.testing.driver.RoundDriver} is what users
 * call. Imports no other package of this module.
 */
package dev.levee.operators.testing;
