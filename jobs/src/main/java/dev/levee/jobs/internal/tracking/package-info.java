/** Trackers: other programs that show the progress of runs, such as TensorBoard and MLflow. */
package dev.levee.jobs.internal.tracking;
