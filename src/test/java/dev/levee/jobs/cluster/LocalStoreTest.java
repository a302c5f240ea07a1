package dev.levee.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.run.Checkpoints;
import dev.levee.jobs.internal.run.QueueLauncher;
import dev.levee.jobs.internal.run.cluster.ClusterControls;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

@Tag("archives")
class LocalStoreTest {
    @TempDir java.nio.file.Path directory;

    @AfterEach
    void forgetTheServer() {
        FileSystem.initialize(new Configuration(), null);
    }

    @Test
    @Tag("cluster")
    void keepsObjectsThatFlinkWritesAndReads() throws IOException {
        String key;
        try (LocalStore store = LocalStore.start(directory, 0)) {
            store.bucket("levee");
            key = store.secretKey();
            ObjectStores.prepare(store);
            Path object = new Path("s3a://levee/folder/object");
            try (OutputStream out =
                    object.getFileSystem().create(object, FileSystem.WriteMode.OVERWRITE)) {
                out.write(new byte[] {1, 2, 3});
            }
            store.kill();
            assertThat(LocalStore.find(directory)).isEmpty();
        }
        try (LocalStore store = LocalStore.start(directory, 0)) {
            ObjectStores.prepare(store);
            Path object = new Path("s3a://levee/folder/object");
            try (InputStream in = object.getFileSystem().open(object)) {
                assertThat(in.readAllBytes()).containsExactly(1, 2, 3);
            }
            assertThat(store.secretKey()).isEqualTo(key);
            assertThat(store.buckets()).containsExactly("levee");
            assertThatThrownBy(() -> LocalStore.start(directory, 0))
                    .hasMessage("an S3 server is already running at " + store.endpoint());
        }
    }

    /** Its folder may first appear in a queue or in {@code run.json}, after the command started. */
    @Test
    @Tag("cluster")
    void isFoundWhenARunInItIsFirstOpened() throws IOException {
        String home = System.getProperty("levee.home");
        QueueLauncher launcher = new QueueLauncher(URI.create("http://127.0.0.1:1"));
        String run = "s3a://levee/run";
        try (LocalStore store = LocalStore.start(directory.resolve(".levee/store"), 0)) {
            store.bucket("levee");
            Files.createDirectories(directory.resolve("connectors/object-store/target"));
            Files.createSymbolicLink(
                    directory.resolve("connectors/object-store/target/plugins"),
                    LeveeHome.find().plugins());
            System.setProperty("levee.home", directory.toString());

            new ClusterControls().write(run + "/control.json", "{}");
            assertThat(store.data().resolve("levee/run/control.json")).exists();
            forgetTheServer();
            assertThat(launcher.finished(run)).isFalse();
            forgetTheServer();
            assertThat(launcher.newest(run + "/checkpoints")).isEmpty();
            forgetTheServer();
            assertThat(Checkpoints.ofAll(run + "/checkpoints", List.of("krum"))).isFalse();
            forgetTheServer();
            launcher.delete(run);
            assertThat(store.data().resolve("levee/run/control.json")).doesNotExist();
        } finally {
            System.setProperty("levee.home", home);
        }
    }

    @Test
    void theUsersOwnSettingsComeFirst() {
        Configuration flink = new Configuration();
        flink.setString("s3.endpoint", "https://store.example");

        Configuration configured =
                ObjectStores.configured(
                        flink, Map.of("AWS_ENDPOINT_URL", "http://other"), Optional.empty());
        Configuration fromEnvironment =
                ObjectStores.configured(
                        new Configuration(),
                        Map.of("AWS_ENDPOINT_URL", "http://other"),
                        Optional.empty());

        assertThat(configured.toMap())
                .containsEntry("s3.endpoint", "https://store.example")
                .containsEntry("s3.connection.ssl.enabled", "true");
        assertThat(fromEnvironment.toMap())
                .containsEntry("s3.endpoint", "http://other")
                .containsEntry("s3.path.style.access", "true")
                .containsEntry("s3.connection.ssl.enabled", "false");
        assertThat(ObjectStores.configured(new Configuration(), Map.of(), Optional.empty()).toMap())
                .isEmpty();
    }

    @Test
    void anEndpointWithoutASchemeGetsOne() {
        for (String encrypted : List.of("true", "false")) {
            Configuration flink = new Configuration();
            flink.setString("s3.endpoint", "10.0.0.5:9000");
            flink.setString("s3.connection.ssl.enabled", encrypted);
            String scheme = encrypted.equals("true") ? "https" : "http";
            assertThat(ObjectStores.configured(flink, Map.of(), Optional.empty()).toMap())
                    .containsEntry("s3.endpoint", scheme + "://10.0.0.5:9000")
                    .containsEntry("s3.connection.ssl.enabled", encrypted);
        }
        Map<String, String> environment = Map.of("AWS_ENDPOINT_URL", "store.example");
        assertThat(
                        ObjectStores.configured(new Configuration(), environment, Optional.empty())
                                .toMap())
                .containsEntry("s3.endpoint", "https://store.example");
    }

    @Test
    void whatHadoopsFilesSayOfS3IsHeard() throws IOException {
        java.nio.file.Path file = directory.resolve("core-site.xml");
        assertThat(CoreSite.s3(directory)).isEmpty();
        Files.writeString(
                file,
                """
                <?xml version="1.0"?>
                <configuration>
                  <property><name>fs.s3a.endpoint</name><value> http://127.0.0.1:9000 </value></property>
                  <property><name>fs.s3a.access.key</name><value>ann</value><final>true</final></property>
                  <property><name>fs.defaultFS</name><value>hdfs://elsewhere</value></property>
                </configuration>
                """);
        assertThat(CoreSite.s3(directory))
                .containsExactly(
                        Map.entry("s3.endpoint", "http://127.0.0.1:9000"),
                        Map.entry("s3.access.key", "ann"));
        Files.writeString(file, "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>");
        assertThatThrownBy(() -> CoreSite.s3(directory))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " is not XML: DOCTYPE is disallowed");
    }
}
