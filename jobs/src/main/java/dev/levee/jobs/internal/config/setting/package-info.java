/**
 * Declares settings, reads them from a command line or a file, and checks them. Read {@link
 * dev.levee.jobs.internal.config.setting.SettingsTable} first. Does not depend on any setting.
 */
package dev.levee.jobs.internal.config.setting;
