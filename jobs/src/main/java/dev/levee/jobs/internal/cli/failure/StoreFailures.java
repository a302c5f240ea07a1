package dev.levee.jobs.internal.cli.failure;

import dev.levee.jobs.cluster.ObjectStores;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says in a sentence why a file system could not be read. Hadoop and Amazon's library only report a
 * chain of class names. Their classes belong to a plug-in, so failures are recognized by their
 * text.
 */
public final class StoreFailures {
    private static final Pattern IN_STORE = Pattern.compile("s3a?://([^/\\s:,;'\"]+)");
    private static final Pattern IN_HDFS = Pattern.compile("hdfs://[^/\\s,;'\"]*");

    private static final Pattern NO_KEYS =
            Pattern.compile(
                    "No AWS Credentials|NoAuthWithAWS|NoAwsCredentials|Unable to load"
                            + " (AWS )?credentials|CredentialInitialization");

    private static final Pattern UNKNOWN_KEY = Pattern.compile("InvalidAccessKeyId");
    private static final Pattern WRONG_SECRET = Pattern.compile("SignatureDoesNotMatch");

    private static final Pattern REFUSED =
            Pattern.compile("Status Code: 403|AccessDenied|403 Forbidden|Forbidden \\(");

    private static final Pattern NO_BUCKET =
            Pattern.compile("NoSuchBucket|UnknownStore|[Bb]ucket \\S* ?does not exist");

    private static final Pattern AWAY =
            Pattern.compile(
                    "Unable to execute HTTP request|UnknownHost|Connection refused|ConnectException"
                            + "|connect timed out|No route to host");

    private static final Pattern NOT_PERMITTED = Pattern.compile("Permission denied: user=([^,]+)");

    private StoreFailures() {}

    /** Returns the sentence, empty for any other failure. */
    public static Optional<String> sentence(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            all.append(each).append('\n');
        }
        return sentence(all.toString(), ObjectStores.endpoint());
    }

    /**
     * Returns the sentence for a failure's text.
     *
     * @param text the text of the failure and its causes
     * @param endpoint the S3 endpoint, empty if none is set
     */
    static Optional<String> sentence(String text, Optional<URI> endpoint) {
        Matcher store = IN_STORE.matcher(text);
        if (store.find()) {
            return ofStore(text, store.group(1), endpoint);
        }
        Matcher hdfs = IN_HDFS.matcher(text);
        return hdfs.find() ? ofHdfs(text, hdfs.group()) : Optional.empty();
    }

    private static Optional<String> ofStore(String text, String bucket, Optional<URI> endpoint) {
        String name = "s3a://" + bucket;
        String server = endpoint.map(URI::toString).orElse("Amazon S3");
        if (NO_KEYS.matcher(text).find()) {
            return Optional.of(
                    name
                            + " cannot be read without keys: set AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY, or start a local server with levee store"
                            + " start");
        }
        if (UNKNOWN_KEY.matcher(text).find()) {
            return Optional.of(server + " rejected the access key: check AWS_ACCESS_KEY_ID");
        }
        if (WRONG_SECRET.matcher(text).find()) {
            return Optional.of(server + " rejected the secret key: check AWS_SECRET_ACCESS_KEY");
        }
        if (NO_BUCKET.matcher(text).find()) {
            return Optional.of(
                    "%s has no bucket %s: check the name, and AWS_ENDPOINT_URL"
                            .formatted(server, bucket));
        }
        if (REFUSED.matcher(text).find()) {
            return Optional.of(
                    "%s does not permit access to %s: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                            .formatted(server, name));
        }
        return AWAY.matcher(text).find()
                ? Optional.of(server + " cannot be reached: check AWS_ENDPOINT_URL")
                : Optional.empty();
    }

    private static Optional<String> ofHdfs(String text, String address) {
        Matcher denied = NOT_PERMITTED.matcher(text);
        if (denied.find()) {
            return Optional.of(
                    "%s does not permit this to the user %s: set HADOOP_USER_NAME to a user with permission"
                            .formatted(address, denied.group(1)));
        }
        return AWAY.matcher(text).find()
                ? Optional.of(
                        "%s cannot be reached: check its address, and core-site.xml in HADOOP_CONF_DIR"
                                .formatted(address))
                : Optional.empty();
    }
}
