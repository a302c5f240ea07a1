/**
 * Output of a command while its job runs and when it ends. Read {@link
 * dev.levee.jobs.internal.run.follow.Follower} first. This package submits nothing.
 */
package dev.levee.jobs.internal.run.follow;
