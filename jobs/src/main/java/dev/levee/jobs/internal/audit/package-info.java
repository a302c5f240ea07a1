/**
 * The log of rounds: how a run writes it, how to check it, and the ranking of workers. Read {@link
 * dev.levee.jobs.internal.audit.AuditLog} first. Imports no package of commands or runs.
 */
package dev.levee.jobs.internal.audit;
