/**
 * The processes behind {@link dev.levee.jobs.cluster}: their class paths, configuration, ports and
 * termination. Read {@link dev.levee.jobs.internal.cluster.JavaProcesses} first. Imports no
 * command.
 */
package dev.levee.jobs.internal.cluster;
