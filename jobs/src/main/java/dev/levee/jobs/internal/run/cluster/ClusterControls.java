package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.k8s.flink.ControlFiles;
import dev.levee.k8s.flink.ControlWriter;

import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes control files on any file system that Flink supports. */
public final class ClusterControls implements ControlWriter {
    @Override
    public void write(String file, String content) throws IOException {
        Path path = new Path(file);
        FileSystem system = ObjectStores.files(path);
        if (!system.isDistributedFS()) {
            ControlFiles.replace(java.nio.file.Path.of(path.getPath()), content);
            return;
        }
        // Object stores show only complete files. On others, the job reads a file again if it is no
        // JSON yet.
        try (FSDataOutputStream out = system.create(path, WriteMode.OVERWRITE)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
