package dev.levee.learners.internal.python;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process of the user's interpreter that has loaded PyTorch and forks the processes of
 * participants. All participants of this JVM with the same interpreter and number of threads share
 * it; those with a limit on memory share another. It ends one minute after the last of their
 * processes, or when this JVM ends.
 */
final class ForkServer {
    private static final Logger LOG = LoggerFactory.getLogger(ForkServer.class);

    /** Maximum time in which an interpreter must be ready to fork. */
    private static final int PATIENCE_SECONDS = 20;

    /**
     * Identifies a server. A fork cannot change the number of threads with which libraries were
     * loaded, nor whether glibc keeps free memory, which depends on whether memory is limited.
     */
    private record Key(String interpreter, int threads, boolean limited) {}

    /**
     * The servers that were started. The value is empty if the key's interpreter cannot fork
     * processes.
     */
    private static final Map<Key, Optional<ForkServer>> SERVERS = new HashMap<>();

    private final Process process;
    private final Path socket;

    private ForkServer(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /**
     * Returns the arguments that make an interpreter a fork of a server; none if it must load
     * everything itself. Only Linux forks processes with loaded libraries safely.
     *
     * @param serving a command that starts a server if the arguments {@code serve} and a path are
     *     added
     */
    static List<String> arguments(PythonSettings settings, ProcessBuilder serving) {
        if (!System.getProperty("os.name").equals("Linux")) {
            return List.of();
        }
        synchronized (SERVERS) {
            Key key = new Key(settings.interpreter(), settings.threads(), settings.memory() > 0);
            Optional<ForkServer> server = SERVERS.get(key);
            if (server == null || server.isPresent() && !server.get().process.isAlive()) {
                server = start(serving, Math.min(PATIENCE_SECONDS, settings.timeoutSeconds()));
                SERVERS.put(key, server);
            }
            return server.map(each -> List.of("fork", each.socket.toString())).orElse(List.of());
        }
    }

    private static Optional<ForkServer> start(ProcessBuilder serving, int patience) {
        try {
            // Only this user may enter the directory, which the server deletes when it ends.
            Path directory = Files.createTempDirectory("levee-python");
            Path socket = directory.resolve("forks");
            Optional<ForkServer> server = start(serving, socket, patience);
            if (server.isEmpty()) {
                Files.deleteIfExists(socket);
                Files.deleteIfExists(directory);
            }
            return server;
        } catch (IOException e) {
            LOG.debug("interpreters are not forked", e);
            return Optional.empty();
        }
    }

    private static Optional<ForkServer> start(ProcessBuilder serving, Path socket, int patience) {
        serving.command().addAll(List.of("serve", socket.toString()));
        try {
            Process process = serving.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            if (serves(process, patience)) {
                return Optional.of(new ForkServer(process, socket));
            }
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        } catch (IOException e) {
            LOG.debug("interpreters are not forked", e);
        }
        return Optional.empty();
    }

    private static boolean serves(Process process, int patience) {
        BufferedReader said = process.inputReader();
        CompletableFuture<String> line =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return said.readLine();
                            } catch (IOException e) {
                                return null;
                            }
                        });
        try {
            return "ready".equals(line.get(patience, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
