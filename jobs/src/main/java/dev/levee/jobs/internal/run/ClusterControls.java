package dev.levee.jobs.internal.run;

import dev.levee.k8s.flink.ControlFiles;
import dev.levee.k8s.flink.ControlWriter;

import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Control files on every file system that Flink knows. */
public final class ClusterControls implements ControlWriter {
    private final ControlWriter local = new ControlFiles();

    @Override
    public void write(URI file, String content) throws IOException {
        if ("file".equals(file.getScheme())) {
            local.write(file, content);
            return;
        }
        // Object stores show a file when it is complete; the job reads again what is not JSON yet.
        FileSystem system = FileSystem.get(file);
        try (FSDataOutputStream out = system.create(new Path(file), WriteMode.OVERWRITE)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
