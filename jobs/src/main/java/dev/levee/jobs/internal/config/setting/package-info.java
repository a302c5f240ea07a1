/**
 * How settings are declared, read from a command line or a file, and checked. Read {@link
 * dev.levee.jobs.internal.config.setting.SettingsTable} first. Knows none of the settings.
 */
package dev.levee.jobs.internal.config.setting;
