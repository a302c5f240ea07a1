package dev.levee.jobs.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Where a process listens, as Linux's kernel shows it: ADDRESS:PORT in hexadecimal digits. */
public final class ListeningSockets {
    private static final String LISTENING = "0A";

    /** 127.0.0.1 in its three forms, and ::1. */
    private static final List<String> LOOPBACK =
            List.of(
                    "0100007F",
                    "0000000000000000FFFF00000100007F",
                    "00000000000000000000000001000000");

    private ListeningSockets() {}

    /** Those of one process. */
    public static Set<String> of(long pid) throws IOException {
        Path process = Path.of("/proc", String.valueOf(pid));
        Set<String> own = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    own.add(target.replaceAll("socket:\\[(\\d+)]", "$1"));
                } catch (NoSuchFileException e) {
                    continue; // closed meanwhile
                }
            }
        }
        Set<String> listening = new TreeSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : Files.readAllLines(process.resolve(table))) {
                String[] columns = line.trim().split("\\s+");
                if (columns[3].equals(LISTENING) && own.contains(columns[9])) {
                    listening.add(columns[1]);
                }
            }
        }
        return listening;
    }

    /** Whether only this machine reaches one. */
    public static boolean loopback(String socket) {
        return LOOPBACK.contains(socket.replaceAll(":.*", ""));
    }
}
