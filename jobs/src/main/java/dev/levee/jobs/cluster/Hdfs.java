package dev.levee.jobs.cluster;

import java.util.stream.Stream;

/**
 * HDFS, which Flink reads with Hadoop's own client. Levee does not include that client, because it
 * must have the cluster's version. It comes from {@code HADOOP_CLASSPATH}, as with Flink's scripts.
 */
public final class Hdfs {
    /** The requirements of HDFS, for messages. */
    public static final String NEEDS =
            "hdfs: needs Hadoop's client on the class path: set HADOOP_CLASSPATH to the output of"
                    + " `hadoop classpath`, or to the jars hadoop-client-api and"
                    + " hadoop-client-runtime";

    private static final String CLIENT = "org.apache.hadoop.hdfs.DistributedFileSystem";

    private Hdfs() {}

    /** Returns true if any of the words names a file in HDFS. */
    public static boolean named(String... words) {
        return Stream.of(words).anyMatch(word -> word.contains("hdfs://"));
    }

    /** Returns true if Hadoop's client is on the class path. */
    public static boolean readable() {
        try {
            Class.forName(CLIENT, false, Hdfs.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
