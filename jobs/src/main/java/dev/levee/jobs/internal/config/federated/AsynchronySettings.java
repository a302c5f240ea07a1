package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.federated.plan.Asynchrony;
import dev.levee.federated.plan.DecisionLog;
import dev.levee.federated.plan.StalenessWeight;
import dev.levee.jobs.internal.config.setting.Setting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** How contributions are handled in rounds without a barrier. */
public record AsynchronySettings(
        @Setting(
                        group = "Asynchronous rounds",
                        label = "K",
                        derived = "1 for fedasync and zeno++, half of --per-round for fedbuff",
                        range = "[1, 10000]",
                        help = "Contributions that make a new version of the model.")
                Integer buffer,
        @Setting(
                        label = "LAW",
                        derived = "polynomial(0.5), or constant for zeno++",
                        help =
                                "Weight of a contribution by its staleness: constant,"
                                        + " polynomial(A) or hinge(A, B).")
                String stalenessWeight,
        @Setting(
                        label = "N",
                        derived = "20",
                        range = "[0, 1000]",
                        help = "Contributions with greater staleness are dropped.")
                Integer maxStaleness,
        @Setting(
                        label = "FILE",
                        derived = "off",
                        help =
                                "Replay a run over Kafka inside the job, from its decisions.csv"
                                        + " and the same options.")
                String replay) {
    /**
     * Creates the rules for contributions.
     *
     * @param oracleEvery number of versions for which the server reuses its own gradient, null if
     *     it computes none
     */
    Asynchrony asynchrony(Integer oracleEvery) {
        return new Asynchrony(
                buffer,
                named("--staleness-weight", () -> StalenessWeight.parse(stalenessWeight)),
                maxStaleness,
                oracleEvery == null ? 1 : oracleEvery);
    }

    /**
     * Reads the decisions of the run to replay.
     *
     * @throws IllegalArgumentException if the log cannot be read; one sentence
     */
    DecisionLog log() {
        try {
            List<String> lines = Files.readAllLines(Path.of(replay));
            return named("--replay " + replay, () -> DecisionLog.parse(lines));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--replay " + replay + " does not exist", e);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("--replay " + replay + " cannot be read: " + e, e);
        }
    }
}
