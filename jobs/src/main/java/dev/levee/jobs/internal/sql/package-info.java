/** SQL on a cluster or in this process: scripts, the shell, and what their errors say. */
package dev.levee.jobs.internal.sql;
