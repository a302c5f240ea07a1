/**
 * The processes behind {@link dev.levee.jobs.cluster}: their class paths, configuration, ports and
 * ends. Read {@link dev.levee.jobs.internal.cluster.JavaProcesses} first. Imports no command.
 */
package dev.levee.jobs.internal.cluster;
