package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.gar.Attack;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.common.errors.AuthorizationException;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the state from which a worker starts: in its state file or, without a state in a file, in
 * its newest answer on the topic.
 */
final class WorkerStartState {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ExternalWorker.Options options;
    private final Connection connection;
    private final SigningKey signing;
    private final Slices slices;

    /** Null for a worker that keeps no file. */
    private final WorkerFile file;

    /** The last answer; null if it is unknown, or the worker has received a model since. */
    private Answer last;

    /** The state after the last answer; null if only the topic has this answer. */
    private WorkerState after;

    /**
     * Reads the state file, if there is one.
     *
     * @throws IllegalArgumentException if the file is wrong; one sentence
     */
    WorkerStartState(
            ExternalWorker.Options options,
            Connection connection,
            SigningKey signing,
            Slices slices) {
        this.options = options;
        this.connection = connection;
        this.signing = signing;
        this.slices = slices;
        this.file = options.state() == null ? null : new WorkerFile(options.state(), options.id());
        if (file != null) {
            file.read()
                    .ifPresent(
                            saved -> {
                                last = saved.answer();
                                after = saved.state();
                            });
        }
    }

    /**
     * Looks up the worker's earlier answer to its first model, unless a state file has been read. A
     * worker with a state file need not be allowed to read answers.
     *
     * @throws org.apache.kafka.common.errors.RetriableException if no broker answers now
     */
    void look(ReadModel model) {
        if (last != null) {
            return;
        }
        try {
            last =
                    OwnAnswer.find(
                                    connection,
                                    options.id(),
                                    options.servers().answered(),
                                    signing,
                                    model,
                                    PATIENCE)
                            .orElse(null);
        } catch (AuthorizationException e) {
            if (file == null) {
                throw e;
            }
        }
    }

    /**
     * The state from which the worker continues in the run of a model.
     *
     * @param training the training that the worker takes part in
     */
    WorkerState state(ReadModel model, Training training) {
        long drawn = (long) training.work().steps(options.id()) * model.settings().batchSize();
        if (last == null || last.run() != model.run()) {
            // A worker that takes part in every round continues at its position in the data. A
            // sampled worker whose state file is missing has not answered any model yet.
            boolean sampled = model.dealtTo() != model.settings().workers();
            long rounds = sampled && file != null ? 0 : model.version();
            return new WorkerState(-1, rounds * drawn, Map.of());
        }
        if (after != null) {
            return after;
        }
        return new WorkerState(
                last.round(),
                (last.round() + 1) * drawn,
                options.training().attackers().are(Attack::forges)
                        ? Map.of()
                        : training.work().recovered(last.values(slices)));
    }

    /** The answer to a model that the worker has answered before. */
    Optional<Answer> answerTo(ReadModel model) {
        Optional<Answer> answer = Optional.ofNullable(last).filter(each -> each.answers(model));
        last = null;
        after = null;
        return answer;
    }

    /**
     * Writes an answer to the state file, if there is one. The answer is on disk when this returns.
     */
    void keep(Answer answer, WorkerState state) {
        if (file != null) {
            file.write(answer, state);
        }
    }
}
