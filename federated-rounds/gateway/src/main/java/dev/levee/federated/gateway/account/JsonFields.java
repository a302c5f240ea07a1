package dev.levee.federated.gateway.account;

import com.fasterxml.jackson.databind.ObjectMapper;

/** Names of fields in the JSON of an {@link AccountEvent}. */
final class JsonFields {
    static final ObjectMapper MAPPER = new ObjectMapper();
    static final String EVENT = "event";
    static final String OFFERED = "offered";
    static final String ENROLLED = "enrolled";
    static final String REVOKED = "revoked";
    static final String DEVICE = "device";
    static final String TOKEN = "token";
    static final String EXPIRES = "expires";
    static final String SECRET = "secret";

    private JsonFields() {}
}
