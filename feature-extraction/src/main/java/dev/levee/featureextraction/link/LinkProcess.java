package dev.levee.featureextraction.link;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Runs a {@link SlowLink} in a separate process, so that it does not use this process's threads.
 */
public final class LinkProcess implements AutoCloseable {
    private final Process process;
    private final InetSocketAddress address;

    private LinkProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts a link to a target.
     *
     * @param bandwidth the bandwidth, in the format of {@link
     *     dev.levee.featureextraction.split.Bandwidth}
     */
    public static LinkProcess start(InetSocketAddress target, String bandwidth) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SlowLink.class.getName(),
                                target.getAddress().getHostAddress(),
                                Integer.toString(target.getPort()),
                                bandwidth)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        @SuppressWarnings("resource") // owned by the process
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String port = out.readLine();
        if (port == null) {
            throw new IOException("the process of the slow link ended while starting");
        }
        return new LinkProcess(process, new InetSocketAddress("127.0.0.1", Integer.parseInt(port)));
    }

    /** The address on which the link listens. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
