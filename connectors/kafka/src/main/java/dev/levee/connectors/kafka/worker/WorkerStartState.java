package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.gar.Attack;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the state from which a worker starts: in its state file or, without a file, in its newest
 * answer on the topic.
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
    private WorkerFile.Saved saved;

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
        this.saved = file == null ? null : file.read().orElse(null);
    }

    /**
     * Looks up the worker's earlier answer to its first model, unless it has a state file.
     *
     * @throws org.apache.kafka.common.errors.RetriableException if no broker answers now
     */
    void look(ReadModel model, Settings settings) {
        if (file != null) {
            return;
        }
        saved =
                OwnAnswer.find(
                                connection,
                                options.id(),
                                options.servers().answered(),
                                signing,
                                model,
                                PATIENCE)
                        .map(answer -> saved(answer, settings))
                        .orElse(null);
    }

    private WorkerFile.Saved saved(Answer answer, Settings settings) {
        Training training = options.training();
        return new WorkerFile.Saved(
                options.id(),
                answer,
                new WorkerState(
                        answer.round(),
                        (answer.round() + 1) * settings.batchSize(),
                        training.attackers().are(Attack::forges)
                                ? Map.of()
                                : training.work().recovered(answer.values(slices))));
    }

    /** The state from which the worker continues in the run of a model. */
    WorkerState state(ReadModel model, Settings settings) {
        if (saved != null && saved.answer().run() == model.run()) {
            return saved.state();
        }
        // A worker that takes part in every round continues at its position in the data. A sampled
        // worker whose state file is missing has not answered any model yet.
        boolean sampled = model.dealtTo() != settings.workers();
        long consumed = sampled && file != null ? 0 : model.version() * settings.batchSize();
        return new WorkerState(-1, consumed, Map.of());
    }

    /** The answer to a model that the worker has answered before. */
    Optional<Answer> answerTo(ReadModel model) {
        Optional<Answer> answer =
                Optional.ofNullable(saved)
                        .map(WorkerFile.Saved::answer)
                        .filter(each -> each.answers(model));
        saved = null;
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
