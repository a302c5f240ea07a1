/**
 * Options that several commands share: those created from settings, and the names that help texts
 * list. Read {@link dev.levee.jobs.internal.cli.options.SettingsOptions} first.
 */
package dev.levee.jobs.internal.cli.options;
