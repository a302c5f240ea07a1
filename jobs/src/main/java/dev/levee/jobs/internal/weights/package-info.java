/** Models of which only the weights are known: workers outside compute with them. */
package dev.levee.jobs.internal.weights;
