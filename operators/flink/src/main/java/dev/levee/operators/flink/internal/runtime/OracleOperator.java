package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.flink.internal.runtime.operator.KeyedStates;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.scoring.ScoreComputer;
import dev.levee.operators.rounds.scoring.Scoring;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Runs the oracle. The first input receives models by broadcast. The second input receives the rows
 * that shards have accepted, keyed by worker, so that the forward passes of a round are spread over
 * the subtasks. It has no state, because shards offer their rows again after every start.
 */
final class OracleOperator extends AbstractStreamOperator<ShardReport>
        implements TwoInputStreamOperator<LoopMessage, GradientBlock, ShardReport>,
                BoundedMultiInput,
                Scoring.Output,
                ScoreComputer.Done {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private final transient MailboxExecutor mailbox;
    private transient Scoring[] servers;
    private transient ScoreComputer computer;
    private transient LocalExchange.Reader models;
    private transient LocalExchange.Reader rows;
    private transient boolean ended;

    OracleOperator(StreamOperatorParameters<ShardReport> parameters, LoopJob job) {
        super(parameters);
        this.job = job;
        this.mailbox = parameters.getMailboxExecutor();
    }

    @Override
    public void open() throws Exception {
        super.open();
        servers = new Scoring[job.servers()];
        for (int server = 0; server < servers.length; server++) {
            servers[server] =
                    new Scoring(job.training().oracle(), job.run(), job.slices(), server, this);
        }
        TaskInfo task = getRuntimeContext().getTaskInfo();
        computer =
                new ScoreComputer(
                        job.training(), "scores of " + task.getTaskNameWithSubtasks(), this);
        getMetricGroup()
                .gauge(
                        "computeMilliseconds",
                        (Gauge<Long>) () -> computer.computeNanos() / 1_000_000);
        models = LocalExchange.reader(job.run(), LoopGraph.ORACLE_MODELS, getRuntimeContext());
        models.readBroadcast(task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
        rows = LocalExchange.reader(job.run(), LoopGraph.ORACLE, getRuntimeContext());
        for (int worker = 0; worker < job.workerKeys().length; worker++) {
            if (KeyedStates.owns(task, job.workerKeys()[worker])) {
                rows.read(worker);
            }
        }
    }

    @Override
    public void processElement1(StreamRecord<LoopMessage> record) {
        ModelBlock model = (ModelBlock) record.getValue();
        servers[model.shard().server()].model(model);
    }

    @Override
    public void processElement2(StreamRecord<GradientBlock> record) {
        GradientBlock row = record.getValue();
        servers[row.shard().server()].row(row);
    }

    @Override
    public void score(Scoring.Task task) {
        computer.start(task);
    }

    @Override
    public void scored(Scoring.Task task, double score) {
        mailbox.execute(
                () -> {
                    if (!ended) {
                        output.collect(
                                new StreamRecord<>(
                                        new ShardReport.Scored(
                                                task.round(),
                                                task.server(),
                                                task.worker(),
                                                score)));
                    }
                },
                "score of worker %s in round %s",
                task.worker(),
                task.round());
    }

    @Override
    public void failed(Scoring.Task task, Throwable cause) {
        mailbox.execute(
                () -> {
                    if (!ended) {
                        throw new IllegalStateException(
                                "no score of worker " + task.worker() + " in round " + task.round(),
                                cause);
                    }
                    LOG.warn("a score after the final model failed", cause);
                },
                "failed score of worker %s",
                task.worker());
    }

    @Override
    public void endInput(int input) {
        // When both inputs have ended, the run is over and no score is needed.
        ended = true;
    }

    @Override
    public void close() throws Exception {
        if (computer != null) {
            computer.close();
        }
        if (models != null) {
            models.close();
        }
        if (rows != null) {
            rows.close();
        }
        super.close();
    }
}
