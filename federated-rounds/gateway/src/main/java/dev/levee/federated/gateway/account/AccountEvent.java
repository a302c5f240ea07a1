package dev.levee.federated.gateway.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Optional;

/** An event in the life of a device's account, stored as a record in the topic of accounts. */
public sealed interface AccountEvent {
    /** The device, such as {@code w3}. */
    String device();

    /**
     * An administrator created an enrollment token.
     *
     * @param token hash of the token, {@link Secrets#hash}
     * @param expires expiry in milliseconds since the epoch
     */
    record Offered(String device, String token, long expires) implements AccountEvent {}

    /**
     * A device used a token and chose a secret.
     *
     * @param token hash of the token
     * @param secret hash of the secret
     */
    record Enrolled(String device, String token, String secret) implements AccountEvent {}

    /** An administrator revoked a device's account. */
    record Revoked(String device) implements AccountEvent {}

    /** The event as a JSON object, which is the value of its record. */
    default byte[] json() {
        ObjectNode json = JsonFields.MAPPER.createObjectNode();
        json.put(JsonFields.DEVICE, device());
        if (this instanceof Offered offered) {
            json.put(JsonFields.EVENT, JsonFields.OFFERED)
                    .put(JsonFields.TOKEN, offered.token())
                    .put(JsonFields.EXPIRES, offered.expires());
        } else if (this instanceof Enrolled enrolled) {
            json.put(JsonFields.EVENT, JsonFields.ENROLLED)
                    .put(JsonFields.TOKEN, enrolled.token())
                    .put(JsonFields.SECRET, enrolled.secret());
        } else {
            json.put(JsonFields.EVENT, JsonFields.REVOKED);
        }
        try {
            return JsonFields.MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the event in a record; empty if this version does not know the event. */
    static Optional<AccountEvent> of(byte[] json) {
        if (json == null) {
            return Optional.empty();
        }
        JsonNode node;
        try {
            node = JsonFields.MAPPER.readTree(json);
        } catch (IOException e) {
            return Optional.empty();
        }
        String device = node.path(JsonFields.DEVICE).asText();
        String token = node.path(JsonFields.TOKEN).asText();
        String secret = node.path(JsonFields.SECRET).asText();
        return switch (device.isEmpty() ? "" : node.path(JsonFields.EVENT).asText()) {
            case JsonFields.OFFERED ->
                    Optional.of(new Offered(device, token, node.path(JsonFields.EXPIRES).asLong()));
            case JsonFields.ENROLLED -> Optional.of(new Enrolled(device, token, secret));
            case JsonFields.REVOKED -> Optional.of(new Revoked(device));
            default -> Optional.empty();
        };
    }
}
