package dev.levee.operators.flink;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.RunSink;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps results where a test in the same process finds them. */
public record KeptResult(String key) implements RunSink {
    private static final Map<String, RunResult> RESULTS = new ConcurrentHashMap<>();

    @Override
    public void finished(RunResult result) {
        RESULTS.put(key, inMemory(result));
    }

    /** What is not in memory ends with the run. */
    private static RunResult inMemory(RunResult result) {
        return new RunResult(
                result.training(),
                result.servers().stream().map(each -> each.with(each.parameters())).toList());
    }

    public RunResult take() {
        return RESULTS.remove(key);
    }
}
