package dev.levee.operators.flink;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.runtime.rpc.AddressResolution;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.runtime.rpc.RpcSystemLoader;
import org.apache.flink.runtime.rpc.pekko.PekkoRpcSystemLoader;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Flink's RPC system for all embedded clusters of a JVM. Otherwise, Flink would copy the jar and
 * load 1,455 classes for each cluster, and the JVM would compile them again.
 */
public final class SharedRpcSystem implements RpcSystemLoader {
    private static RpcSystem shared;

    /** Called by the {@link java.util.ServiceLoader}, in tests whose clusters Flink starts. */
    public SharedRpcSystem() {}

    /** The RPC system; the first call loads it, and it stays open until the JVM ends. */
    public static synchronized RpcSystem get() {
        if (shared == null) {
            shared = new StaysOpen(load());
        }
        return shared;
    }

    /** Returns a higher priority than Flink's own loader, which has 0. */
    @Override
    public int getLoadPriority() {
        return -1;
    }

    @Override
    public RpcSystem loadRpcSystem(Configuration configuration) {
        return get();
    }

    /**
     * The copy of the jar is deleted at the end of the JVM, because clusters may need it until
     * then.
     */
    private static RpcSystem load() {
        try {
            Path directory = Files.createTempDirectory("levee-rpc-");
            directory.toFile().deleteOnExit();
            Configuration configuration = new Configuration();
            configuration.set(CoreOptions.TMP_DIRS, directory.toString());
            RpcSystem loaded = new PekkoRpcSystemLoader().loadRpcSystem(configuration);
            for (File copy : directory.toFile().listFiles()) {
                copy.deleteOnExit();
            }
            return loaded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps the RPC system open when a cluster closes it at the cluster's end. */
    private record StaysOpen(RpcSystem system) implements RpcSystem {
        @Override
        public RpcServiceBuilder localServiceBuilder(Configuration configuration) {
            return system.localServiceBuilder(configuration);
        }

        @Override
        public RpcServiceBuilder remoteServiceBuilder(
                Configuration configuration, String address, String ports) {
            return system.remoteServiceBuilder(configuration, address, ports);
        }

        @Override
        public String getRpcUrl(
                String host,
                int port,
                String endpoint,
                AddressResolution resolution,
                Configuration configuration)
                throws UnknownHostException {
            return system.getRpcUrl(host, port, endpoint, resolution, configuration);
        }

        @Override
        public InetSocketAddress getInetSocketAddressFromRpcUrl(String url) throws Exception {
            return system.getInetSocketAddressFromRpcUrl(url);
        }

        @Override
        public long getMaximumMessageSizeInBytes(Configuration configuration) {
            return system.getMaximumMessageSizeInBytes(configuration);
        }

        @Override
        public void close() {}
    }
}
