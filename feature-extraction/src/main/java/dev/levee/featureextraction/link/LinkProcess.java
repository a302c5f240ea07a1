package dev.levee.featureextraction.link;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs a {@link SlowLink} in a separate process, so that it does not use this process's threads.
 */
public final class LinkProcess implements AutoCloseable {
    private final Process process;
    private final List<InetSocketAddress> addresses;

    private LinkProcess(Process process, List<InetSocketAddress> addresses) {
        this.process = process;
        this.addresses = addresses;
    }

    /**
     * Starts a link to targets, which share its bandwidth.
     *
     * @param bandwidth the bandwidth, in the format of {@link
     *     dev.levee.featureextraction.split.Bandwidth}
     */
    public static LinkProcess start(List<InetSocketAddress> targets, String bandwidth)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(SlowLink.class.getName(), bandwidth));
        for (InetSocketAddress target : targets) {
            command.add(target.getAddress().getHostAddress());
            command.add(Integer.toString(target.getPort()));
        }
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        @SuppressWarnings("resource") // owned by the process
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String ports = out.readLine();
        if (ports == null) {
            throw new IOException("the process of the slow link ended while starting");
        }
        return new LinkProcess(
                process,
                Stream.of(ports.split(" "))
                        .map(port -> new InetSocketAddress("127.0.0.1", Integer.parseInt(port)))
                        .toList());
    }

    /** The addresses on which the link listens, in the order of the targets. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
