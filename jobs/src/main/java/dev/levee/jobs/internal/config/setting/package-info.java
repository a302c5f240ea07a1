/**
 * Declares settings, reads them from a command line or a file, and checks them. Read {@link
 * dev.levee.jobs.internal.config.setting.SettingsTable} first. Knows none of the settings.
 */
package dev.levee.jobs.internal.config.setting;
