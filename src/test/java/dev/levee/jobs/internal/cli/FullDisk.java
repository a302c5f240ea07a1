package dev.levee.jobs.internal.cli;

import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/** A file system that takes directories and no files. */
public final class FullDisk implements FileSystemFactory {
    static final String SCHEME = "full";

    private static final AtomicLong REFUSED = new AtomicLong();

    /** How often a file was refused. */
    static long refused() {
        return REFUSED.get();
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileSystem create(URI address) {
        return new Full();
    }

    private static final class Full extends LocalFileSystem {
        @Override
        public URI getUri() {
            return URI.create(SCHEME + ":/");
        }

        @Override
        public boolean mkdirs(Path path) {
            return true;
        }

        @Override
        public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
            REFUSED.incrementAndGet();
            throw new IOException("No space left on device");
        }
    }
}
