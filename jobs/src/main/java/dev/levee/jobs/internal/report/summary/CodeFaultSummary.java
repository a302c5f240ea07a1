package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Faults of one kind in participants' own code. A kind is an exception at a line.
 *
 * @param message message of the first fault
 * @param firstRound round in which the first fault was reported
 * @param workers number of faults of each worker
 * @param traceback last lines of the first traceback, empty if there was none
 */
public record CodeFaultSummary(
        String message, long firstRound, SortedMap<Integer, Long> workers, String traceback) {

    /** The faults of a run, in the order of their first reports. */
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
