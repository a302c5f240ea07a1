/**
 * The settings of each command, which are checked before anything starts. Read {@link
 * dev.levee.jobs.internal.config.RunConfig} first, then {@link
 * dev.levee.jobs.internal.config.Resolver}, which creates a training from them. Imports no command.
 */
package dev.levee.jobs.internal.config;
