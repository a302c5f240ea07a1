package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.limit.Reserve;
import dev.levee.federated.gateway.metrics.GatewayMetrics;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Objects that all connections share.
 *
 * @param workers answers that may take long; refuses what it has no room for
 * @param uploads memory for bodies
 * @param nanos the clock, monotonic
 */
record Services(
        Api api,
        Limits limits,
        Reserve uploads,
        GatewayMetrics metrics,
        Executor workers,
        LongSupplier nanos) {}
