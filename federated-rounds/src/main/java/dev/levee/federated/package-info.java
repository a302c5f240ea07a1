/**
 * Federated rounds: the parts of an algorithm, and the run that they make. Read {@link
 * dev.levee.federated.Federation} first. Imports no engine.
 */
package dev.levee.federated;
