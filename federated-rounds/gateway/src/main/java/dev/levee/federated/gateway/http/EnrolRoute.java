package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.federated.gateway.account.AccountEvent;
import dev.levee.federated.gateway.account.AccountStore;
import dev.levee.federated.gateway.account.Accounts;
import dev.levee.federated.gateway.account.Secrets;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.RefusedException;

import java.io.IOException;
import java.time.Clock;

/** Enrolment: a device shows its token once and says the hash of the secret that it has chosen. */
final class EnrolRoute {
    private static final int MOST = 256;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final AccountStore log;
    private final Credentials credentials;
    private final GatewayMetrics metrics;
    private final Clock clock;

    EnrolRoute(AccountStore log, Credentials credentials, GatewayMetrics metrics, Clock clock) {
        this.log = log;
        this.credentials = credentials;
        this.metrics = metrics;
        this.clock = clock;
    }

    Admitted admit(Request request, String device) throws RefusedException {
        String token = Credentials.bearer(request);
        if (token == null || !Credentials.named(device)) {
            throw credentials.wrong(request, Refusal.UNKNOWN_TOKEN, "no enrolment token");
        }
        String hash = Secrets.hash(token);
        // A request without a token is refused before anything is read or stored.
        check(request, foreseen(new AccountEvent.Enrolled(device, hash, "")));
        return new Admitted(
                MOST,
                true,
                (body, reply) -> {
                    AccountEvent.Enrolled event =
                            new AccountEvent.Enrolled(device, hash, secret(body));
                    check(request, foreseen(event));
                    log.append(event)
                            .whenComplete(
                                    (outcome, failure) ->
                                            tell(request, reply, device, outcome, failure));
                });
    }

    private Accounts.Outcome foreseen(AccountEvent.Enrolled event) {
        Accounts.Outcome outcome = log.accounts().foreseen(event, clock.millis());
        // Without a secret nobody can tell whether it is the one that was enrolled.
        return event.secret().isEmpty() && outcome == Accounts.Outcome.USED_TOKEN
                ? Accounts.Outcome.DONE
                : outcome;
    }

    private static String secret(byte[] body) throws RefusedException {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (IOException e) {
            json = JsonNodeFactory.instance.missingNode();
        }
        String hash = json.path("secret_sha256").asText();
        if (!hash.matches("[0-9a-f]{64}")) {
            throw new RefusedException(
                    Refusal.WRONG_PARAMETER,
                    "the body is {\"secret_sha256\": \"64 hexadecimal digits\"}");
        }
        return hash;
    }

    private void check(Request request, Accounts.Outcome outcome) throws RefusedException {
        switch (outcome) {
            case DONE -> {}
            case UNKNOWN_TOKEN ->
                    throw credentials.wrong(
                            request, Refusal.UNKNOWN_TOKEN, "no such token for this device");
            case USED_TOKEN ->
                    throw credentials.wrong(request, Refusal.USED_TOKEN, "the token has been used");
            case EXPIRED_TOKEN ->
                    throw credentials.wrong(
                            request, Refusal.EXPIRED_TOKEN, "the token has expired");
        }
    }

    private void tell(
            Request request,
            Reply reply,
            String device,
            Accounts.Outcome outcome,
            Throwable failure) {
        try {
            if (failure != null) {
                throw new RefusedException(Refusal.NO_BROKER, 2, "no broker stores accounts now");
            }
            check(request, outcome);
            metrics.enrolled.increment();
            reply.json(201, JsonNodeFactory.instance.objectNode().put("device", device));
        } catch (RefusedException e) {
            reply.refuse(e);
        }
    }
}
