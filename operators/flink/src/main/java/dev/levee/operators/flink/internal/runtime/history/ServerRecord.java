package dev.levee.operators.flink.internal.runtime.history;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The recorder's data about one parameter server. */
public final class ServerRecord implements AutoCloseable {
    private final int server;
    private final Slices slices;
    private final int participants;
    private final RunHistory history = new RunHistory(RunResult.MOST_REPORTS);
    private final VectorStore store;
    private final BitSet finalBlocks = new BitSet();
    private VectorStore.Vector parameters;
    private long samples;
    private List<WorkerCounts> workers = List.of();
    private TransferCounts transfers;
    private ReplicaCounts replica;
    private final List<GpuMemory> gpus = new ArrayList<>();

    /**
     * Creates an empty record.
     *
     * @param participants number of participants; higher ids are servers
     * @param store stores the final model while it is assembled
     */
    public ServerRecord(int server, Slices slices, int participants, VectorStore store) {
        this.server = server;
        this.slices = slices;
        this.participants = participants;
        this.store = store;
    }

    /** Adds an event of this server. */
    public void add(RunEvent event) {
        if (event instanceof RunEvent.RoundDone done) {
            history.add(done.report());
        } else if (event instanceof RunEvent.Evaluated evaluated) {
            history.add(evaluated.report());
        } else if (event instanceof RunEvent.Exchanged exchanged) {
            history.add(exchanged.report());
        } else if (event instanceof RunEvent.TakenOver taken) {
            history.add(taken.takeover());
        } else if (event instanceof RunEvent.Raised raised) {
            history.add(raised.fault());
        } else if (event instanceof RunEvent.Tested tested) {
            history.add(tested.score());
        } else if (event instanceof RunEvent.History past) {
            history.add(past);
        } else if (event instanceof RunEvent.FinalBlock block) {
            add(block.block());
        } else if (event instanceof RunEvent.Counted counted) {
            workers = counted.workers();
        } else if (event instanceof RunEvent.Transferred transferred) {
            transfers = transferred.transfers();
        } else if (event instanceof RunEvent.Replicated replicated) {
            replica = replicated.counts();
        } else if (event instanceof RunEvent.OnGpus onGpus) {
            gpus.addAll(onGpus.memory());
        }
    }

    private void add(ModelBlock block) {
        if (parameters == null) {
            parameters = store.create(slices.dimension());
        }
        int index = block.shard().block();
        parameters.put(slices.offset(index), block.values());
        finalBlocks.set(index);
        samples = block.settings().samples();
    }

    /** The history, for a checkpoint. */
    public RunEvent.History snapshot() {
        return history.snapshot(server);
    }

    /** The first round without a report. */
    public long next() {
        return history.next();
    }

    /** True if all blocks of the final model have arrived. */
    public boolean complete() {
        return finalBlocks.cardinality() == slices.count();
    }

    /** The result of a server that is {@link #complete}; call it before {@link #close}. */
    public ServerResult result() {
        RunEvent.History past = snapshot();
        return new ServerResult(
                past.rounds().stream().mapToLong(RunEvent.Stretch::rounds).sum(),
                samples,
                past.stretch(),
                past.rounds().stream().map(RunEvent.Stretch::report).toList(),
                List.copyOf(past.evaluations()),
                workers.stream().filter(each -> each.worker() < participants).toList(),
                workers.stream().filter(each -> each.worker() >= participants).toList(),
                List.copyOf(past.exchanges()),
                past.takeovers(),
                past.codeFaults(),
                transfers,
                past.scores(),
                replica,
                List.copyOf(gpus),
                parameters.read());
    }

    @Override
    public void close() {
        if (parameters != null) {
            parameters.close();
        }
    }
}
