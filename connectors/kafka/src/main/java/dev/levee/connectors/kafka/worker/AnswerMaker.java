package dev.levee.connectors.kafka.worker;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.gar.Attack;
import dev.levee.gar.Round;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns gradients into answers: it forges the gradients of attackers, masks contributions to secure
 * sums, and signs all answers if there are keys.
 */
final class AnswerMaker {
    private static final float[][] NONE_SEEN = new float[0][];

    private final ExternalWorker.Options options;
    private final Topics topics;
    private final SigningKey signing;
    private final Slices slices;
    private SumMasks masks;

    /**
     * True if the current training uses secure sums with pairwise masks, which need one message per
     * device.
     */
    private boolean masked;

    AnswerMaker(ExternalWorker.Options options, Topics topics, SigningKey signing, Slices slices) {
        this.options = options;
        this.topics = topics;
        this.signing = signing;
        this.slices = slices;
    }

    /** The training that the worker takes part in, given what a model says. */
    Training training(TrainingResolver.Told told) {
        Attackers attackers = options.training().attackers();
        // A forging worker computes like an honest one first. Workers see one model, even if
        // several servers made it.
        Training resolved = options.resolver().resolve(options.training(), told);
        Masking masking = resolved.admission().masking();
        if (masking.hides() && (options.signing() == null || options.peers() == null)) {
            throw new IllegalStateException(
                    "the job of topic %s makes secure sums, for which devices need keys: leave"
                                    .formatted(topics.models())
                            + " --unsigned out");
        }
        if (masking.rates().isPresent() && attackers.are(Attack::forges)) {
            throw new IllegalStateException(
                    "--attack %s changes what the device has masked: in secure sums with rates, use"
                                    .formatted(attackers.name())
                            + " silent(after=N)");
        }
        masked = masking.equals(Masking.PAIRWISE);
        if (masked && masks == null) {
            masks = new SumMasks(options.id(), options.signing(), options.peers());
        }
        return new TrainingBuilder(resolved)
                .topology(Topology.ONE)
                .workers(told.dealtTo())
                .attack(attackers.are(Attack::forges) ? null : attackers.attack(), told.dealtTo())
                .build();
    }

    /**
     * Creates the answer to a model.
     *
     * @param honest the whole gradient, by block
     * @param score scores of models on the worker's samples, null if there are none
     * @param settings the settings of the gradient's round
     */
    Answer answer(List<GradientBlock> honest, LocalScore score, Settings settings) {
        List<GradientBlock> blocks =
                options.training().attackers().are(Attack::forges)
                        ? forged(honest, settings)
                        : honest;
        if (masked) {
            blocks = masks.over(blocks, settings.cohort());
        }
        List<byte[]> frames = new ArrayList<>();
        for (GradientBlock block : blocks) {
            LocalScore told = frames.isEmpty() ? score : null;
            frames.add(Frames.of(block, told, slices.count(), signing));
        }
        GradientBlock first = blocks.get(0);
        return new Answer(first.header().run(), first.header().round(), first.loss(), frames);
    }

    private List<GradientBlock> forged(List<GradientBlock> honest, Settings settings) {
        Training training = options.training();
        long number = honest.get(0).header().round();
        Round round = new Round(settings.workers(), settings.f(), number, training.seed());
        float[] own = slices.whole(block -> honest.get(block).values());
        float[] row =
                training.attackers()
                        .attack()
                        .forgeRow(
                                options.id(),
                                round,
                                own,
                                NONE_SEEN,
                                own.length,
                                slices.blockSize());
        return honest.stream()
                .map(each -> each.with(slices.cut(row, each.header().block())))
                .toList();
    }
}
