/**
 * The log of rounds: how a run writes it, how anybody checks it, and what it tells of workers. Read
 * {@link dev.levee.jobs.internal.audit.AuditLog} first. Imports no package of commands or runs.
 */
package dev.levee.jobs.internal.audit;
