package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.AccountStore;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

import java.time.Clock;

/**
 * Enrolls devices. A device uses its token once, and sends the hash of the secret that it has
 * chosen.
 */
public final class Enrollment {
    private static final int AGAIN_SECONDS = 2;

    private final AccountStore log;
    private final Credentials credentials;
    private final GatewayMetrics metrics;
    private final Clock clock;

    Enrollment(AccountStore log, Credentials credentials, GatewayMetrics metrics, Clock clock) {
        this.log = log;
        this.credentials = credentials;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * Refuses a request without a valid token of the device, before its body is read or anything is
     * stored.
     */
    public void admit(Caller caller, String device) throws RefusedException {
        check(caller, foreseen(event(caller, device, "")));
    }

    /**
     * Creates an account.
     *
     * @param secret SHA-256 of the device's secret in hexadecimal digits
     * @param done called on any thread when the account exists
     */
    public void enroll(Caller caller, String device, String secret, CompletionListener done)
            throws RefusedException {
        if (!secret.matches("[0-9a-f]{64}")) {
            throw new RefusedException(
                    Refusal.WRONG_PARAMETER, "secret_sha256 must be 64 hexadecimal digits");
        }
        AccountEvent.Enrolled event = event(caller, device, secret);
        check(caller, foreseen(event));
        log.append(event).whenComplete((outcome, failure) -> tell(caller, done, outcome, failure));
    }

    private AccountEvent.Enrolled event(Caller caller, String device, String secret)
            throws RefusedException {
        if (caller.bearer() == null || !Credentials.named(device)) {
            throw credentials.wrong(caller, Refusal.UNKNOWN_TOKEN, "no enrollment token");
        }
        return new AccountEvent.Enrolled(device, Secrets.hash(caller.bearer()), secret);
    }

    private Accounts.Outcome foreseen(AccountEvent.Enrolled event) {
        Accounts.Outcome outcome = log.accounts().foreseen(event, clock.millis());
        // Without the secret's hash, it is unknown whether the request repeats the enrollment.
        return event.secret().isEmpty() && outcome == Accounts.Outcome.USED_TOKEN
                ? Accounts.Outcome.DONE
                : outcome;
    }

    private void check(Caller caller, Accounts.Outcome outcome) throws RefusedException {
        switch (outcome) {
            case DONE -> {}
            case UNKNOWN_TOKEN ->
                    throw credentials.wrong(
                            caller, Refusal.UNKNOWN_TOKEN, "no such token for this device");
            case USED_TOKEN ->
                    throw credentials.wrong(caller, Refusal.USED_TOKEN, "the token has been used");
            case EXPIRED_TOKEN ->
                    throw credentials.wrong(caller, Refusal.EXPIRED_TOKEN, "the token has expired");
        }
    }

    private void tell(
            Caller caller, CompletionListener done, Accounts.Outcome outcome, Throwable failure) {
        try {
            if (failure != null) {
                throw new RefusedException(
                        Refusal.NO_BROKER, AGAIN_SECONDS, "no broker stores accounts now");
            }
            check(caller, outcome);
            metrics.enrolled.increment();
            done.ended(null);
        } catch (RefusedException e) {
            done.ended(e);
        }
    }
}
