/**
 * The run's topics from a gateway's view: {@link dev.levee.federated.gateway.topic.Models} has the
 * newest versions, {@link dev.levee.federated.gateway.topic.Contributions} decides what is written.
 * This package does not depend on HTTP.
 */
package dev.levee.federated.gateway.topic;
