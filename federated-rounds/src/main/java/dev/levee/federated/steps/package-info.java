/**
 * Steps of devices and servers: optimizers, the number of local steps, and the treatment of a
 * device's optimizer between rounds. Read {@link dev.levee.federated.steps.ServerSteps} first. Of
 * the sibling packages, it imports only {@code internal}.
 */
package dev.levee.federated.steps;
