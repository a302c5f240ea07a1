/**
 * The command line. More than 25 files because each is a command, or the base of several commands.
 * Read {@link dev.levee.jobs.internal.cli.LeveeCommand} first. Nothing imports this package.
 */
package dev.levee.jobs.internal.cli;
