/** SQL on a cluster or in this process: scripts, the shell, and their errors. */
package dev.levee.jobs.internal.sql;
