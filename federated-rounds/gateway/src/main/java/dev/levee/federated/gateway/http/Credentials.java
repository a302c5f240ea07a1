package dev.levee.federated.gateway.http;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.limit.Buckets;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

import io.netty.handler.codec.http.HttpHeaderNames;

/**
 * Identifies the sender of a request by {@code Authorization: Bearer w3.SECRET} or a client
 * certificate; accounts decide whether it may proceed. Addresses and devices have a rate each.
 */
final class Credentials {
    private static final String BEARER = "Bearer ";

    private final Accounts accounts;
    private final Buckets addresses;
    private final Buckets devices;

    Credentials(Accounts accounts, Buckets addresses, Buckets devices) {
        this.accounts = accounts;
        this.addresses = addresses;
        this.devices = devices;
    }

    /** Counts a request of an address. */
    void knock(Request request) throws RefusedException {
        int wait = addresses.take(request.address(), 1);
        if (wait > 0) {
            throw new RefusedException(
                    Refusal.ADDRESS_RATE, wait, "too many requests from this address");
        }
    }

    /** The number of the device that makes a request. */
    int device(Request request) throws RefusedException {
        String name = name(request);
        int wait = devices.take(name, 1);
        if (wait > 0) {
            throw new RefusedException(Refusal.DEVICE_RATE, wait, "too many requests of " + name);
        }
        return KeyDirectory.worker(name);
    }

    private String name(Request request) throws RefusedException {
        String bearer = bearer(request);
        if (bearer == null && request.certified() == null) {
            throw wrong(request, Refusal.NO_CREDENTIALS, "no secret and no client certificate");
        }
        if (bearer == null) {
            return allowed(request, request.certified(), accounts.certified(request.certified()));
        }
        int dot = bearer.indexOf('.');
        String name = dot < 0 ? "" : bearer.substring(0, dot);
        if (!named(name) || request.certified() != null && !name.equals(request.certified())) {
            throw wrong(request, Refusal.WRONG_CREDENTIALS, "no such account");
        }
        return allowed(request, name, accounts.access(name, bearer.substring(dot + 1)));
    }

    private String allowed(Request request, String name, Accounts.Access access)
            throws RefusedException {
        return switch (access) {
            case GRANTED -> name;
            case UNKNOWN -> throw wrong(request, Refusal.WRONG_CREDENTIALS, "no such account");
            case REVOKED -> throw wrong(request, Refusal.REVOKED, "the account has been revoked");
        };
    }

    /** A refusal that costs the address more than other requests. */
    RefusedException wrong(Request request, Refusal refusal, String message) {
        addresses.charge(request.address(), Limits.WRONG_COSTS - 1);
        return new RefusedException(refusal, message);
    }

    /** The text after {@code Bearer}, null if there is none. */
    static String bearer(Request request) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        return header == null || !header.startsWith(BEARER)
                ? null
                : header.substring(BEARER.length()).trim();
    }

    /** True for the name of a device. */
    static boolean named(String name) {
        try {
            KeyDirectory.worker(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
