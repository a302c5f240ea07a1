package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Faults of one kind in participants' own code, as exception and line tell kinds apart.
 *
 * @param message of the first one
 * @param firstRound in which it was heard of
 * @param workers how often each worker had it
 * @param traceback last lines of the first one's, empty if it had none
 */
public record CodeFaultSummary(
        String message, long firstRound, SortedMap<Integer, Long> workers, String traceback) {

    /** The faults of a run, in the order in which they were reported. */
    static List<CodeFaultSummary> of(RunResult result) {
        Map<String, CodeFault> kinds = new LinkedHashMap<>();
        result.servers().stream()
                .map(ServerResult::codeFaults)
                .flatMap(Collection::stream)
                .forEach(fault -> kinds.merge(fault.kind(), fault, CodeFault::plus));
        return kinds.values().stream()
                .map(
                        fault ->
                                new CodeFaultSummary(
                                        fault.message(),
                                        fault.round(),
                                        fault.workers(),
                                        fault.traceback()))
                .toList();
    }
}
