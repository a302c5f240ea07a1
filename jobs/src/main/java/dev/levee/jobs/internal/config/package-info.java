/**
 * The settings of each command, checked before anything starts. Read {@link
 * dev.levee.jobs.internal.config.RunConfig} first, then {@link
 * dev.levee.jobs.internal.config.Resolver}, which makes a training of them. Imports no command.
 */
package dev.levee.jobs.internal.config;
