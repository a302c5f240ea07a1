/** Models of which only the weights are known. Workers outside the job compute with them. */
package dev.levee.jobs.internal.weights;
