/** What a command says, in a sentence, when something failed or input was wrong. */
package dev.levee.jobs.internal.cli.failure;
