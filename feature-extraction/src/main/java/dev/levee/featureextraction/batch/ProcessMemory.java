package dev.levee.featureextraction.batch;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Measures the memory that this process uses in addition to what it used when this object was
 * created. It adds the heap's content after the latest garbage collection and the anonymous pages
 * outside the heap, which hold PyTorch's tensors. Pages are known on Linux only; elsewhere only the
 * heap counts. Every page of the committed heap counts as used, so pages that were never used make
 * the measurement too low by their size.
 */
public final class ProcessMemory implements LongSupplier {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PAGES = "RssAnon:";

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private static final List<String> HEAP =
            ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .map(MemoryPoolMXBean::getName)
                    .toList();

    private final long atFirst = heap() + outside();
    private long most;

    @Override
    public synchronized long getAsLong() {
        long now = Math.max(0, heap() + outside() - atFirst);
        most = Math.max(most, now);
        return now;
    }

    /** The largest measurement so far, in bytes. */
    public synchronized long most() {
        return most;
    }

    private static long heap() {
        return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .map(ProcessMemory::left)
                .orElse(0L);
    }

    private static long left(GcInfo collection) {
        Map<String, MemoryUsage> pools = collection.getMemoryUsageAfterGc();
        return HEAP.stream()
                .map(pools::get)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private static long outside() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            long anonymous =
                    lines.filter(line -> line.startsWith(PAGES))
                            .mapToLong(ProcessMemory::bytes)
                            .findFirst()
                            .orElse(0);
            return Math.max(0, anonymous - MEMORY.getHeapMemoryUsage().getCommitted());
        } catch (IOException e) {
            return 0; // not on Linux
        }
    }

    /** Parses a line such as {@code RssAnon: 1234 kB}. */
    private static long bytes(String line) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }
}
