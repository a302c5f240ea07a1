/**
 * Options that several commands share, made from settings, and what their help texts list. Read
 * {@link dev.levee.jobs.internal.cli.options.SettingsOptions} first.
 */
package dev.levee.jobs.internal.cli.options;
