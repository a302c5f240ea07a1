package dev.levee.operators.flink;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.training.ServerResult;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps results where a test in the same process finds them. */
record KeptResult(String key) implements RunSink {
    private static final Map<String, RunResult> RESULTS = new ConcurrentHashMap<>();

    @Override
    public void finished(RunResult result) {
        RESULTS.put(key, inMemory(result));
    }

    /** What is not in memory ends with the run. */
    private static RunResult inMemory(RunResult result) {
        return new RunResult(
                result.training(),
                result.servers().stream()
                        .map(
                                each ->
                                        new ServerResult(
                                                each.roundCount(),
                                                each.samples(),
                                                each.stretch(),
                                                each.rounds(),
                                                each.evaluations(),
                                                each.workers(),
                                                each.peers(),
                                                each.exchanges(),
                                                each.takeovers(),
                                                each.codeFaults(),
                                                each.transfers(),
                                                each.scores(),
                                                each.replica(),
                                                each.parameters()))
                        .toList());
    }

    RunResult take() {
        return RESULTS.remove(key);
    }
}
