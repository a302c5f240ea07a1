package dev.levee.k8s.flink.queue;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.flink.ControlFiles;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A queue in a folder, with a subfolder for each run. Queuing a run moves its folder here
 * atomically. From then on, only the allocator that serves the queue writes the run's state, and
 * replaces the file atomically. Others may ask it to cancel the run.
 */
public final class RunQueue {
    private static final String RUN = "run.json";
    private static final String STATE = "state.json";
    private static final String CANCEL = "cancel";
    private static final String LOCK = ".allocator.lock";
    private static final String TARGET = ".allocator";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Queues that this process serves. File locks belong to the process: closing another channel of
     * the lock's file would release the lock.
     */
    private static final Map<Path, String> OURS = new ConcurrentHashMap<>();

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The folder of a run that is being prepared or removed. */
    private static final Pattern HIDDEN = Pattern.compile("\\.[0-9a-f]{32}");

    /** Age from which nobody prepares or removes a run any more. */
    private static final Duration ABANDONED = Duration.ofDays(1);

    /** Flink's states of jobs that have ended. */
    private static final Set<String> OVER = Set.of("FINISHED", "CANCELED", "FAILED");

    private final Path folder;

    /**
     * A run and its state.
     *
     * @param folder the run's folder
     */
    public record Entry(Path folder, QueuedRun run, QueueState state) {
        /** The Flink id of its current or next job. */
        public String job() {
            return run.job(state.generation());
        }

        /** The Flink ids of all its jobs so far, newest first. */
        public List<String> jobs() {
            List<String> jobs = new ArrayList<>();
            for (int i = state.generation(); i >= 0; i--) {
                jobs.add(run.job(i));
            }
            return jobs;
        }

        /** True if cancellation was requested; the allocator acts on it at its next observation. */
        public boolean cancelled() {
            return Files.exists(folder.resolve(CANCEL));
        }
    }

    private RunQueue(Path folder) {
        this.folder = folder;
    }

    /** The queue in a folder, which need not exist. */
    public static RunQueue in(Path folder) {
        return new RunQueue(folder.toAbsolutePath().normalize());
    }

    /** The queue's folder. */
    public Path folder() {
        return folder;
    }

    /**
     * Serves the queue until the result is closed or the process ends.
     *
     * @param target address of the cluster on which its runs are started
     * @throws IllegalStateException if another allocator serves the queue, or a run still has a job
     *     on the cluster of the allocator before; one sentence
     */
    public Service serve(String target) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(
                        folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        // A process that checks whether the queue is served holds the lock for a moment.
        if (OURS.containsKey(folder) || !Await.until(PATIENCE, () -> channel.tryLock() != null)) {
            channel.close();
            throw new IllegalStateException(
                    "another allocator serves the queue "
                            + folder
                            + "; end it, or use another --queue for this one");
        }
        try {
            requireNoJobElsewhere(target);
            deleteAbandoned();
            ControlFiles.replace(folder.resolve(TARGET), target);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        OURS.put(folder, target);
        return new Service(this, channel);
    }

    /** Refuses a queue with jobs on another cluster: here, they would be started a second time. */
    private void requireNoJobElsewhere(String target) throws IOException {
        Path last = folder.resolve(TARGET);
        String before = Files.exists(last) ? Files.readString(last) : target;
        if (before.equals(target)) {
            return;
        }
        FlinkRest elsewhere;
        try {
            elsewhere = new FlinkRest(URI.create(before));
            elsewhere.overview();
        } catch (IOException | IllegalArgumentException e) {
            return; // that cluster is gone
        }
        FlinkRest here = new FlinkRest(URI.create(target));
        for (Entry each : entries(damaged -> {})) {
            boolean ended = each.state().phase() == Phase.ENDED;
            // Both know the job if they are two addresses of one cluster.
            if (!ended && runs(each.job(), elsewhere) && !here.knows(each.job())) {
                throw new IllegalStateException(
                        "job %s of the queue %s still runs on %s: cancel it with levee cancel, share that cluster, or use another --queue for this one"
                                .formatted(each.run().id(), folder, before));
            }
        }
    }

    private static boolean runs(String job, FlinkRest cluster) throws IOException {
        return cluster.find("/jobs/" + job)
                .map(each -> each.path("state").asText())
                .filter(state -> !OVER.contains(state))
                .isPresent();
    }

    /** Deletes what commands left that were killed while they prepared or removed a run. */
    private void deleteAbandoned() throws IOException {
        Instant latest = Instant.now().minus(ABANDONED);
        for (String name : ids()) {
            Path each = folder.resolve(name);
            if (!HIDDEN.matcher(name).matches()) {
                continue;
            }
            try {
                if (Files.getLastModifiedTime(each).toInstant().isBefore(latest)) {
                    delete(each);
                }
            } catch (IOException | UncheckedIOException e) {
                continue; // belongs to another user
            }
        }
    }

    /** The right to serve a queue; the operating system releases it when the process ends. */
    public static final class Service implements AutoCloseable {
        private final RunQueue queue;
        private final FileChannel lock;

        private Service(RunQueue queue, FileChannel lock) {
            this.queue = queue;
            this.lock = lock;
        }

        RunQueue queue() {
            return queue;
        }

        @Override
        public void close() throws IOException {
            OURS.remove(queue.folder);
            lock.close();
        }
    }

    /**
     * Address of the cluster of the allocator that serves the queue; empty if no allocator does.
     */
    public Optional<String> served() throws IOException {
        if (OURS.containsKey(folder)) {
            return Optional.of(OURS.get(folder));
        }
        // A shared lock, because another user may only read the queue.
        try (FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.READ)) {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
            return lock != null
                    ? Optional.empty()
                    : Optional.of(Files.readString(folder.resolve(TARGET)));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // no allocator has started, or one is about to
        }
    }

    /**
     * Creates a folder for the files of a run that is not in the queue yet.
     *
     * @param id the id of the run
     */
    public Path prepare(String id) throws IOException {
        return Files.createDirectories(folder.resolve("." + id));
    }

    /** Queues a run whose folder was prepared. */
    public void add(QueuedRun run) throws IOException {
        Path prepared = folder.resolve("." + run.id());
        write(prepared.resolve(RUN), run);
        write(prepared.resolve(STATE), QueueState.fresh());
        Files.move(prepared, folder.resolve(run.id()), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * All runs in order of submission, including runs that have ended without results.
     *
     * @param damaged receives a sentence for each run that cannot be read
     */
    public List<Entry> entries(Consumer<String> damaged) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (String id : ids()) {
            try {
                find(id).ifPresent(entries::add);
            } catch (IOException e) {
                damaged.accept(e.getMessage());
            }
        }
        entries.sort(
                Comparator.comparing((Entry each) -> each.run().submitted())
                        .thenComparing(each -> each.run().id()));
        return entries;
    }

    /** The ids of all runs, and the names of other files in the folder. */
    List<String> ids() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.map(each -> each.getFileName().toString()).toList();
        }
    }

    /**
     * A run; empty if it has left the queue.
     *
     * @throws IOException if its files cannot be read; one sentence
     */
    public Optional<Entry> find(String id) throws IOException {
        Path own = folder.resolve(id);
        if (id.startsWith(".") || !Files.isDirectory(own)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Entry(
                            own,
                            read(own.resolve(RUN), QueuedRun.class),
                            read(own.resolve(STATE), QueueState.class)));
        } catch (NoSuchFileException e) {
            if (Files.exists(own.resolve(RUN))) {
                throw damaged(own.resolve(STATE), e);
            }
            return Optional.empty();
        }
    }

    /**
     * Writes the state of a run. After a crash, the file has either this state or the previous one.
     */
    void save(String id, QueueState state) throws IOException {
        write(folder.resolve(id).resolve(STATE), state);
    }

    /**
     * Requests cancellation of a run.
     *
     * @return false if the run has left the queue
     */
    public boolean cancel(String id) throws IOException {
        try {
            Files.writeString(folder.resolve(id).resolve(CANCEL), "");
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Removes a run from the queue. */
    public void remove(String id) throws IOException {
        Path gone = folder.resolve("." + id);
        Files.move(folder.resolve(id), gone, StandardCopyOption.ATOMIC_MOVE);
        delete(gone);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static void write(Path file, Object value) throws IOException {
        ControlFiles.replace(file, JSON.writeValueAsString(value));
    }

    private static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            T value = JSON.readValue(Files.readAllBytes(file), type);
            if (value != null) {
                return value;
            }
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw damaged(file, e);
        }
        throw damaged(file, null);
    }

    private static IOException damaged(Path file, IOException cause) {
        return new IOException(
                file
                        + " is damaged, unreadable or not written by Levee; restore it, or delete"
                        + " its folder to remove the run from the queue",
                cause);
    }
}
