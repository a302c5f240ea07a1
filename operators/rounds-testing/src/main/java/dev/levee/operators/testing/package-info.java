/**
 * What all runs in virtual time share: what is driven, what may disturb it, the calendar of events,
 * and the channels that records take. {@link dev.levee.operators.testing.driver.RoundDriver} is
 * what users call. Imports no other package of this module.
 */
package dev.levee.operators.testing;
