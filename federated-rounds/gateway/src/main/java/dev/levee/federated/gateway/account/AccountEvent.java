package dev.levee.federated.gateway.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Optional;

/** Something that happened to the account of a device; a record of the topic of accounts. */
public sealed interface AccountEvent {
    /** The device, such as {@code w3}. */
    String device();

    /**
     * An administrator has made an enrollment token.
     *
     * @param token its hash, {@link Secrets#hash}
     * @param expires milliseconds since the epoch
     */
    record Offered(String device, String token, long expires) implements AccountEvent {}

    /**
     * A device has shown a token and chosen a secret.
     *
     * @param token the token's hash
     * @param secret the secret's hash
     */
    record Enrolled(String device, String token, String secret) implements AccountEvent {}

    /** An administrator has shut a device out. */
    record Revoked(String device) implements AccountEvent {}

    /** The event as the value of a record: a JSON object. */
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

    /** The event in a record; empty if it is none that this version knows. */
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
