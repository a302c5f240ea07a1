package dev.levee.operators.rounds.participant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.Attackers;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.participant.ModelAssembler.Assembled;
import dev.levee.operators.rounds.topology.Contraction;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** A worker reads four servers, of which one may lie, and waits for three. */
class CombinedReadingTest {
    private static final Slices SLICES = new Slices(1, 1, 1);

    private static Exchange exchange() {
        return new Exchange(Rules.parse("median"), 1).closingWith(3);
    }

    private static Training training(Topology topology) {
        return new TrainingBuilder("exchange", "strokes:", null, Rules.parse("average"), 1, 0)
                .roundTimeout(Duration.ofSeconds(1))
                .topology(topology)
                .build();
    }

    private static Assembled read(CombinedReading reading, int server, float value) {
        return reading.add(
                new ModelBlock(
                        Header.model(1, 0, new ShardId(server, 0)),
                        training(Topology.replicas(4, exchange())).settings(0, 0),
                        new float[] {value}));
    }

    private static CombinedReading reading(Exchange exchange) {
        Training training = training(Topology.replicas(4, exchange));
        return new CombinedReading(
                training, SLICES, ReadingGroup.of(training.topology()).get(0), new ModelArrays());
    }

    @Test
    void aWorkerCombinesTheFirstThreeModelsOnce() {
        CombinedReading reading = reading(exchange());
        assertThat(read(reading, 3, 9)).isNull();
        assertThat(read(reading, 0, 1)).isNull();
        assertThat(read(reading, 2, 4).parameters()).containsExactly(4);
        assertThat(read(reading, 1, 2)).isNull();
    }

    /** The last server is the liar, whichever others have been quicker than the rest. */
    @Test
    void aLiarIsAmongTheFirstThree() {
        Exchange lying =
                new Exchange(
                        Rules.parse("average"),
                        1,
                        3,
                        1,
                        Contraction.NONE,
                        new Attackers(Attacks.parse("reversed(c=10)"), 1));
        CombinedReading reading = reading(lying);
        read(reading, 3, 9);
        read(reading, 1, 30);
        assertThat(read(reading, 2, 30).parameters()).containsExactly(-10);
    }
}
