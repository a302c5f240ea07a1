package dev.levee.operators.testing.network;

/**
 * A cluster whose links are the bottleneck: each worker is a host of its own.
 *
 * @param workers how many
 * @param computeSeconds that a worker needs for a gradient, times what is drawn from an exponential
 *     distribution with mean 1 for a tenth of it
 * @param bytes the bytes of an update
 * @param rate the rate of each link, bytes a second, the server's included
 * @param stragglers share of the workers that are slow, in computing and on their links
 * @param slowdown how many times
 * @param changeSeconds after which others are slow
 * @param seed the seed of everything that is drawn
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
