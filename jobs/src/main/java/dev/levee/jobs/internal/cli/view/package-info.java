/**
 * Output of commands: tables and explanations. Read {@link
 * dev.levee.jobs.internal.cli.view.Columns} first. Knows no command.
 */
package dev.levee.jobs.internal.cli.view;
