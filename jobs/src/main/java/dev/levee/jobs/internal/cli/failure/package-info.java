/** Turns failures and wrong input into one sentence. */
package dev.levee.jobs.internal.cli.failure;
