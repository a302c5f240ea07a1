/**
 * Output of commands: tables and explanations. Read {@link
 * dev.levee.jobs.internal.cli.view.Columns} first. Does not depend on commands.
 */
package dev.levee.jobs.internal.cli.view;
