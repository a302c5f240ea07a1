package dev.levee.jobs.internal.report.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

import dev.levee.federated.devices.Spread;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.report.LocalScore;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The scores on samples that devices hold out, in {@code summary.json}. Each device counts with the
 * last round it took part in.
 *
 * @param score the key of a {@link Score}, or {@code loss}
 * @param server scores of the models that devices received
 * @param own scores of the devices' own models; equal to {@code server} if they have none
 * @param devices ids of the devices that hold out samples
 * @param serverByDevice score of the received model, in the order of the ids
 * @param ownByDevice score of the device's own model, in the order of the ids
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record DeviceScores(
        String score,
        Spread server,
        Spread own,
        List<Integer> devices,
        List<Double> serverByDevice,
        List<Double> ownByDevice) {
    private static final String LOSS = "loss";

    /** The summary of a run's scores; null if there are none. */
    static DeviceScores of(List<LocalScore> scores) {
        if (scores.isEmpty()) {
            return null;
        }
        Score score = scores.get(0).score();
        double[] server = all(scores, score == null ? LocalScore::serverLoss : LocalScore::server);
        double[] own = all(scores, score == null ? LocalScore::ownLoss : LocalScore::own);
        boolean higher = score != null && score.higherIsBetter();
        return new DeviceScores(
                score == null ? LOSS : score.key(),
                Spread.of(server, higher),
                Spread.of(own, higher),
                scores.stream().map(LocalScore::participant).toList(),
                Arrays.stream(server).boxed().toList(),
                Arrays.stream(own).boxed().toList());
    }

    private static double[] all(List<LocalScore> scores, ToDoubleFunction<LocalScore> value) {
        return scores.stream().mapToDouble(value).toArray();
    }

    /** True if devices have models of their own. */
    public boolean personal() {
        return !serverByDevice.equals(ownByDevice);
    }

    /** The name of the score for people. */
    public String label() {
        return score().equals(LOSS) ? LOSS : named().label();
    }

    /** Formats a value of the score for people. */
    public String number(double value) {
        return inPercent() ? Numbers.percent(value) : Numbers.decimals(value, 4);
    }

    /** True if the score is shown as a percentage. */
    public boolean inPercent() {
        return !score().equals(LOSS) && named().isShare();
    }

    private Score named() {
        return Arrays.stream(Score.values())
                .filter(each -> each.key().equals(score))
                .findFirst()
                .orElseThrow();
    }
}
