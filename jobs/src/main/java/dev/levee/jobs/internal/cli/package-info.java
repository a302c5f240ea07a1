/**
 * The command line: a class for each command, and what reads options and input. Read {@link
 * dev.levee.jobs.internal.cli.LeveeCommand} first. Nothing imports this package.
 */
package dev.levee.jobs.internal.cli;
