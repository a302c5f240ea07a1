package dev.levee.jobs.internal.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.util.Optional;

/** What Hadoop and Amazon's library say, as a user has seen it. */
class StoreFailuresTest {
    private static final Optional<URI> HERE = Optional.of(URI.create("http://127.0.0.1:9000"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "No AWS Credentials provided by TemporaryAWSCredentialsProvider | set"
                        + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                "Amazon S3; Status Code: 403; Error Code: InvalidAccessKeyId | check"
                        + " AWS_ACCESS_KEY_ID",
                "Amazon S3; Status Code: 403; Error Code: SignatureDoesNotMatch | check"
                        + " AWS_SECRET_ACCESS_KEY",
                "Amazon S3; Status Code: 403; Error Code: 403 Forbidden | check AWS_ACCESS_KEY_ID"
                        + " and AWS_SECRET_ACCESS_KEY",
                "UnknownStoreException: `s3a://photos/': Bucket does not exist | has no bucket"
                        + " photos",
                "Unable to execute HTTP request: Connect to 127.0.0.1:9 failed: Connection refused |"
                        + " http://127.0.0.1:9000 cannot be reached: check AWS_ENDPOINT_URL"
            })
    void aFailureOfAStoreNamesWhatToSet(String said, String told) {
        String text =
                "s3a://photos/digits: getFileStatus on s3a://photos/digits:"
                        + " org.apache.flink.fs.s3base.shaded.com.amazonaws."
                        + said;
        assertThat(StoreFailures.sentence(text, HERE).orElseThrow())
                .contains(told)
                .doesNotContain("Exception");
    }

    @Test
    void hdfsNamesTheVariableToo() {
        assertThat(
                        StoreFailures.sentence(
                                "AccessControlException: Permission denied: user=ann,"
                                        + " access=WRITE, inode=\"/\"; hdfs://node:8020/runs",
                                HERE))
                .contains(
                        "hdfs://node:8020 does not permit this to the user ann: set"
                                + " HADOOP_USER_NAME to a user with permission");
    }

    @Test
    void otherFailuresSpeakForThemselves() {
        assertThat(
                        StoreFailures.sentence(
                                "s3a://photos/digits has no object that levee pack wrote", HERE))
                .isEmpty();
        assertThat(StoreFailures.sentence("Connection refused", HERE)).isEmpty();
    }
}
