package dev.levee.jobs.internal.report.summary;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.training.RunResult;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A GPU that interpreters of Python computed on, and what they took of its memory.
 *
 * @param host the machine's name
 * @param device such as cuda:0
 * @param name of the GPU's model
 * @param totalBytes memory of the GPU
 * @param allocatedBytes sum of what the interpreters' tensors took at their most
 * @param reservedBytes sum of what their allocators kept at their most
 * @param interpreters each of them, by process id
 */
public record GpuSummary(
        String host,
        String device,
        String name,
        long totalBytes,
        long allocatedBytes,
        long reservedBytes,
        List<Interpreter> interpreters) {

    /** One interpreter, whose fields mean the same as those of a GPU. */
    public record Interpreter(long process, long allocatedBytes, long reservedBytes) {
        private static Interpreter of(GpuMemory memory) {
            return new Interpreter(memory.process(), memory.allocated(), memory.reserved());
        }
    }

    /** The GPUs of a run, by host and index. */
    static List<GpuSummary> of(RunResult result) {
        return result.servers().stream()
                .flatMap(server -> server.gpus().stream())
                .collect(
                        Collectors.groupingBy(
                                GpuMemory::host,
                                TreeMap::new,
                                Collectors.groupingBy(
                                        GpuMemory::gpu, TreeMap::new, Collectors.toList())))
                .values()
                .stream()
                .map(Map::values)
                .flatMap(Collection::stream)
                .map(GpuSummary::of)
                .toList();
    }

    /** One GPU. Each slot of a process reports all interpreters of that process. */
    private static GpuSummary of(List<GpuMemory> reports) {
        TreeMap<Long, Interpreter> interpreters = new TreeMap<>();
        reports.forEach(
                each ->
                        interpreters.merge(
                                each.process(),
                                Interpreter.of(each),
                                (one, other) ->
                                        one.reservedBytes() > other.reservedBytes() ? one : other));
        GpuMemory first = reports.get(0);
        return new GpuSummary(
                first.host(),
                "cuda:" + first.gpu(),
                first.name(),
                first.total(),
                interpreters.values().stream().mapToLong(Interpreter::allocatedBytes).sum(),
                interpreters.values().stream().mapToLong(Interpreter::reservedBytes).sum(),
                List.copyOf(interpreters.values()));
    }
}
