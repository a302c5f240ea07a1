package dev.levee.operators.testing.network;

/**
 * A cluster whose links are the bottleneck; each worker has its own host.
 *
 * @param workers number of workers
 * @param computeSeconds mean seconds for a gradient; a tenth of it is exponentially distributed
 * @param bytes size of an update in bytes
 * @param rate the rate of each link in bytes per second, the server's included
 * @param stragglers share of the workers that are slow, in computing and on their links
 * @param slowdown factor by which they are slower
 * @param changeSeconds seconds after which other workers are slow
 * @param seed the seed of all random choices
 */
public record Setting(
        int workers,
        double computeSeconds,
        long bytes,
        double rate,
        double stragglers,
        double slowdown,
        double changeSeconds,
        long seed) {}
