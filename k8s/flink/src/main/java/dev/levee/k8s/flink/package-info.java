/** Elastic training jobs on a Flink session cluster, over Flink's REST interface. */
package dev.levee.k8s.flink;
