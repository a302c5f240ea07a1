/**
 * The run's topics as a gateway sees them: {@link dev.levee.federated.gateway.topic.Models} has the
 * newest versions, {@link dev.levee.federated.gateway.topic.Contributions} decides what is written.
 * Does not depend on HTTP.
 */
package dev.levee.federated.gateway.topic;
