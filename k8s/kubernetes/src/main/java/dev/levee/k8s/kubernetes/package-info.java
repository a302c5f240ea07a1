/**
 * The allocator on Kubernetes. Jobs are resources of the Flink Kubernetes Operator, which carries
 * out changes of their specifications.
 */
package dev.levee.k8s.kubernetes;
