/**
 * What a command shows of a job while it runs and when it ends. Read {@link
 * dev.levee.jobs.internal.run.follow.Follower} first. Submits nothing.
 */
package dev.levee.jobs.internal.run.follow;
