/** The storage tier as a Flink job. */
package dev.levee.featureextraction.flink;
