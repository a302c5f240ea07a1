package dev.levee.federated.gateway.topic;

import dev.levee.federated.gateway.metrics.Refusal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The id of a version in paths: {@code RUN-VERSION}, such as {@code 1795000000000000-7}. */
public record VersionId(long run, long version) {
    private static final Pattern ID = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    /**
     * Parses an id.
     *
     * @throws RefusedException if the text is no id
     */
    public static VersionId of(String id) throws RefusedException {
        Matcher matcher = ID.matcher(id);
        if (!matcher.matches()) {
            throw new RefusedException(
                    Refusal.WRONG_PARAMETER, "a version must be RUN-VERSION, both whole numbers");
        }
        return new VersionId(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    @Override
    public String toString() {
        return run + "-" + version;
    }
}
