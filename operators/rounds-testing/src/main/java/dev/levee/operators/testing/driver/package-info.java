/**
 * One training with its workers, adversary, shards and coordinator in virtual time, with
 * checkpoints and crashes. Read {@link dev.levee.operators.testing.driver.RoundDriver} first, then
 * {@code VirtualRun} and {@code Dataflow}.
 */
package dev.levee.operators.testing.driver;
