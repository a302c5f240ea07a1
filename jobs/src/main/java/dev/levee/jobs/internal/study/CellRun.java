package dev.levee.jobs.internal.study;

import dev.levee.federated.FederatedRun;
import dev.levee.jobs.internal.report.study.CellResult;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFile;
import dev.levee.learners.ParticipantException;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** Runs one cell in the caller's thread. */
final class CellRun implements SequentialRun.Watcher {
    private final List<CellResult.Point> points = new ArrayList<>();
    private Optional<Score> score = Optional.empty();

    /** Mean training losses of the rounds since the last evaluation. */
    private double losses;

    private long rounds;

    private CellRun() {}

    /**
     * Trains, and returns the result. A failed training is a result, too.
     *
     * @throws CancellationException if the thread is interrupted
     */
    static CellResult of(Cell cell) {
        return new CellRun().run(cell);
    }

    private CellResult run(Cell cell) {
        long began = System.nanoTime();
        String model = null;
        String failure = null;
        try {
            Training training = cell.training();
            Model bare = FederatedRun.model(training);
            score = bare.scores().stream().findFirst();
            try (SequentialRun run = new SequentialRun(training, this)) {
                model = digest(bare, run.run().parameters());
            }
        } catch (CancellationException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            failure = "it ran out of memory: " + e.getMessage();
        } catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted: " + e.getMessage());
            }
            failure = sentence(e);
        }
        return new CellResult(
                cell.id(),
                cell.point(),
                cell.options(),
                failure,
                score.map(Score::key).orElse(CellResult.LOSS),
                points,
                model,
                (System.nanoTime() - began) / 1e9);
    }

    /**
     * The failure as a sentence. Levee's messages are written for users; others start with the kind
     * of exception.
     */
    private static String sentence(RuntimeException e) {
        boolean telling =
                e instanceof IllegalArgumentException
                        || e instanceof IllegalStateException
                        || e instanceof RunFailedException
                        || e instanceof ParticipantException;
        return telling && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    @Override
    public void finished(RoundReport round) {
        losses += round.loss();
        rounds++;
    }

    @Override
    public void evaluated(long round, Evaluation test, Evaluation validation) {
        points.add(
                new CellResult.Point(
                        round,
                        rounds == 0 ? Double.NaN : losses / rounds,
                        test.loss(),
                        scored(test),
                        validation == null ? null : scored(validation)));
        losses = 0;
        rounds = 0;
    }

    private double scored(Evaluation evaluation) {
        return score.map(evaluation.scores()::get).orElse(evaluation.loss());
    }

    /**
     * The SHA-256 of the {@code model.npz} that the cell's command would write. That file leaves
     * out the parts of the vector that only training uses.
     */
    private static String digest(Model model, float[] parameters) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (OutputStream out =
                    new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
                ModelFile.write(
                        out, model.layout(), Arrays.copyOf(parameters, model.layout().size()));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
