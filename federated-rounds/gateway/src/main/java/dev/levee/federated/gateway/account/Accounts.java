package dev.levee.federated.gateway.account;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The accounts of a run's devices, as they follow from the log's events in order. All gateways read
 * the same log, so they agree on which of two devices used a token first. Safe for concurrent use.
 */
public final class Accounts {
    /** The outcome of an event. */
    public enum Outcome {
        /** The event takes effect, or is already in effect. */
        DONE,
        /** This device has no such token. */
        UNKNOWN_TOKEN,
        /**
         * The token was used with another secret, or the device has enrolled a newer secret since.
         */
        USED_TOKEN,
        /** The token had expired when the broker stored the event. */
        EXPIRED_TOKEN
    }

    /** Whether a device may use the gateway. */
    public enum Access {
        GRANTED,
        /** There is no such account, or its secret is another. */
        UNKNOWN,
        REVOKED
    }

    /** The state of a device's account. */
    public enum State {
        /** The device has an unused token. */
        OFFERED,
        ENROLLED,
        REVOKED
    }

    private record Offer(String device, long expires, String secret) {}

    private final Map<String, Offer> offers = new HashMap<>();
    private final Map<String, String> secrets = new HashMap<>();
    private final Set<String> revoked = new HashSet<>();

    /**
     * Applies the next event of the log.
     *
     * @param at time at which the broker stored the event, in milliseconds since the epoch
     */
    public synchronized Outcome apply(AccountEvent event, long at) {
        String device = event.device();
        if (event instanceof AccountEvent.Offered offered) {
            offers.putIfAbsent(offered.token(), new Offer(device, offered.expires(), null));
        } else if (event instanceof AccountEvent.Enrolled enrolled) {
            Outcome outcome = foreseen(enrolled, at);
            if (outcome == Outcome.DONE) {
                Offer offer = offers.get(enrolled.token());
                offers.put(enrolled.token(), new Offer(device, offer.expires(), enrolled.secret()));
                secrets.put(device, enrolled.secret());
                revoked.remove(device);
            }
            return outcome;
        } else {
            offers.values().removeIf(offer -> offer.device().equals(device));
            secrets.remove(device);
            revoked.add(device);
        }
        return Outcome.DONE;
    }

    /** The outcome of an enrollment if it were the next event. */
    public synchronized Outcome foreseen(AccountEvent.Enrolled enrolled, long at) {
        Offer offer = offers.get(enrolled.token());
        if (offer == null || !offer.device().equals(enrolled.device())) {
            return Outcome.UNKNOWN_TOKEN;
        }
        if (offer.secret() != null) {
            // A device repeats its request if it missed the answer.
            boolean again =
                    offer.secret().equals(enrolled.secret())
                            && offer.secret().equals(secrets.get(enrolled.device()));
            return again ? Outcome.DONE : Outcome.USED_TOKEN;
        }
        return at > offer.expires() ? Outcome.EXPIRED_TOKEN : Outcome.DONE;
    }

    /** Decides whether a device with this secret may use the gateway. */
    public synchronized Access access(String device, String secret) {
        String known = secrets.get(device);
        boolean right = Secrets.same(known == null ? "" : known, Secrets.hash(secret));
        if (right) {
            return Access.GRANTED;
        }
        return revoked.contains(device) ? Access.REVOKED : Access.UNKNOWN;
    }

    /** Decides whether a device with a certificate signed by the authority may use the gateway. */
    public synchronized Access certified(String device) {
        return revoked.contains(device) ? Access.REVOKED : Access.GRANTED;
    }

    /** The states of all devices in the log. */
    public synchronized Map<String, State> states() {
        Map<String, State> states = new TreeMap<>();
        offers.values().forEach(offer -> states.put(offer.device(), State.OFFERED));
        revoked.forEach(device -> states.put(device, State.REVOKED));
        secrets.keySet().forEach(device -> states.put(device, State.ENROLLED));
        return states;
    }
}
