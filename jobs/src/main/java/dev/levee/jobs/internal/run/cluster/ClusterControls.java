package dev.levee.jobs.internal.run.cluster;

import dev.levee.k8s.flink.ControlFiles;
import dev.levee.k8s.flink.ControlWriter;

import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Control files on every file system that Flink knows. */
public final class ClusterControls implements ControlWriter {
    @Override
    public void write(String file, String content) throws IOException {
        Path path = new Path(file);
        FileSystem system = path.getFileSystem();
        if (!system.isDistributedFS()) {
            ControlFiles.replace(java.nio.file.Path.of(path.getPath()), content);
            return;
        }
        // Object stores show a file when it is complete; the job reads again what is not JSON yet.
        try (FSDataOutputStream out = system.create(path, WriteMode.OVERWRITE)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
