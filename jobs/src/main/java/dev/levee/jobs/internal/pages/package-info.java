/** Pages under docs/reference that the command line prints. */
package dev.levee.jobs.internal.pages;
