package dev.levee.federated.gateway.service;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.limit.Buckets;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

/**
 * Identifies the sender of a request by {@code Authorization: Bearer w3.SECRET} or by a client
 * certificate. The accounts decide whether it has access. Requests are limited per address and per
 * device, bytes per device.
 */
public final class Credentials {
    private final Accounts accounts;
    private final Buckets addresses;
    private final Buckets devices;
    private final Buckets bytes;

    Credentials(Accounts accounts, Buckets addresses, Buckets devices, Buckets bytes) {
        this.accounts = accounts;
        this.addresses = addresses;
        this.devices = devices;
        this.bytes = bytes;
    }

    /** Counts a request from an address, and refuses it if there are too many. */
    public void knock(Caller caller) throws RefusedException {
        int wait = addresses.take(caller.address(), 1);
        if (wait > 0) {
            throw new RefusedException(
                    Refusal.ADDRESS_RATE, wait, "too many requests from this address");
        }
    }

    /** The number of the device that sends a request, if it has access. */
    public int device(Caller caller) throws RefusedException {
        String name = name(caller);
        int wait = devices.take(name, 1);
        if (wait > 0) {
            throw new RefusedException(Refusal.DEVICE_RATE, wait, "too many requests of " + name);
        }
        return KeyDirectory.worker(name);
    }

    /**
     * Charges a device for bytes before they are sent or received, and refuses them if there are
     * too many.
     */
    public void charge(int device, long length) throws RefusedException {
        int wait = bytes.take(KeyDirectory.name(device), length);
        if (wait > 0) {
            throw new RefusedException(Refusal.DEVICE_BYTES, wait, "too many bytes of this device");
        }
    }

    /** Takes back the charge for bytes of a download that was interrupted before they were sent. */
    public void refund(int device, long length) {
        bytes.giveBack(KeyDirectory.name(device), length);
    }

    /** Charges a device for bytes that are already being sent to it. */
    void spend(int device, long length) {
        bytes.charge(KeyDirectory.name(device), length);
    }

    private String name(Caller caller) throws RefusedException {
        String bearer = caller.bearer();
        if (bearer == null && caller.certified() == null) {
            throw wrong(caller, Refusal.NO_CREDENTIALS, "no secret and no client certificate");
        }
        if (bearer == null) {
            return allowed(caller, caller.certified(), accounts.certified(caller.certified()));
        }
        int dot = bearer.indexOf('.');
        String name = dot < 0 ? "" : bearer.substring(0, dot);
        if (!named(name) || caller.certified() != null && !name.equals(caller.certified())) {
            throw wrong(caller, Refusal.WRONG_CREDENTIALS, "no such account");
        }
        return allowed(caller, name, accounts.access(name, bearer.substring(dot + 1)));
    }

    private String allowed(Caller caller, String name, Accounts.Access access)
            throws RefusedException {
        return switch (access) {
            case GRANTED -> name;
            case UNKNOWN -> throw wrong(caller, Refusal.WRONG_CREDENTIALS, "no such account");
            case REVOKED -> throw wrong(caller, Refusal.REVOKED, "the account has been revoked");
        };
    }

    /** Creates a refusal that costs the address as much as several requests. */
    public RefusedException wrong(Caller caller, Refusal refusal, String message) {
        addresses.charge(caller.address(), Limits.WRONG_COSTS - 1);
        return new RefusedException(refusal, message);
    }

    /** True if the text is a device's name. */
    public static boolean named(String name) {
        try {
            KeyDirectory.worker(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
