package dev.levee.k8s.simulator;

/**
 * The current speed of a simulated job.
 *
 * @param progressPerSecond progress per second in the job's own unit; above 0
 * @param samplesPerSecond throughput over all workers
 * @param computeUtilisation share of a round spent computing gradients
 * @param memoryUtilisation share of a worker's memory in use
 * @param passes number of gradients that each worker adds up in a round
 */
public record Pace(
        double progressPerSecond,
        double samplesPerSecond,
        double computeUtilisation,
        double memoryUtilisation,
        int passes) {}
