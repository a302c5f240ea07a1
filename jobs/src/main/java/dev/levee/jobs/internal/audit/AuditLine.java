package dev.levee.jobs.internal.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.jobs.internal.report.summary.Sha256;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A line of a log of rounds: a JSON object that begins with its number ({@code entry}) and the
 * SHA-256 of the previous line ({@code previous}), and ends with its {@code signature}: Ed25519, in
 * Base64, over the object without this member.
 *
 * @param text the line, without its end
 * @param body the parsed line; null if it is no such object
 */
record AuditLine(String text, JsonNode body) {
    static final String ENTRY = "entry";
    static final String PREVIOUS = "previous";
    static final String KIND = "kind";

    /** The value of {@code previous} in the first line, which has no previous line. */
    static final String NOTHING = "0".repeat(64);

    static final ObjectMapper JSON = new ObjectMapper();

    private static final String SIGNATURE = ",\"signature\":\"";
    private static final String END = "\"}";

    /** Parses a line of a log. The {@code body} is null if the text is no entry. */
    static AuditLine parse(String text) {
        try {
            JsonNode body = JSON.readTree(text);
            boolean line =
                    body != null
                            && body.isObject()
                            && body.path(ENTRY).canConvertToLong()
                            && body.path(KIND).isTextual()
                            && text.endsWith(END);
            return new AuditLine(text, line ? body : null);
        } catch (JsonProcessingException e) {
            return new AuditLine(text, null);
        }
    }

    /** Returns a signed line with this body. */
    static AuditLine signed(ObjectNode body, AuditKey key) {
        try {
            String unsigned = JSON.writeValueAsString(body);
            byte[] signature = key.secret().sign(bytes(unsigned));
            return parse(
                    unsigned.substring(0, unsigned.length() - 1)
                            + SIGNATURE
                            + Base64.getEncoder().encodeToString(signature)
                            + END);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean signedBy(VerifyingKey key) {
        int at = text.lastIndexOf(SIGNATURE);
        if (body == null || at < 0) {
            return false;
        }
        try {
            String given = text.substring(at + SIGNATURE.length(), text.length() - END.length());
            byte[] signature = Base64.getDecoder().decode(given);
            // Several Base64 texts decode to the same bytes; only the canonical one is valid.
            return Base64.getEncoder().encodeToString(signature).equals(given)
                    && key.verifies(bytes(text.substring(0, at) + "}"), signature);
        } catch (IllegalArgumentException e) {
            return false; // not Base64
        }
    }

    long entry() {
        return body.path(ENTRY).longValue();
    }

    String kind() {
        return body.path(KIND).textValue();
    }

    String previous() {
        return body.path(PREVIOUS).asText();
    }

    /** This line's digest in hexadecimal digits, for {@code previous} of the next line. */
    String digest() {
        return Sha256.of(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
