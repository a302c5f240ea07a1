/** Other programs that show how runs go: TensorBoard, MLflow. */
package dev.levee.jobs.internal.tracking;
