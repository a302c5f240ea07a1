package dev.levee.jobs.internal.run.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.Topology;

import org.junit.jupiter.api.Test;

/** What a run with three servers tells its workers to pass. */
class WorkersOutsideTest {
    private static final Exchange EXCHANGE = new Exchange(Rules.parse("median"), 1);

    @Test
    void workersThatCombineModels() {
        assertThat(WorkersOutside.servers(Topology.replicas(3, EXCHANGE)))
                .isEqualTo(
                        "\n3 servers, 1 of which may be Byzantine; workers combine their models by"
                                + " median and need --servers 3 --byzantine-servers 1");
    }

    @Test
    void workersThatAnswerEachServer() {
        assertThat(WorkersOutside.servers(new Topology(3, Reading.PER_SERVER, EXCHANGE)))
                .isEqualTo(
                        "\n3 servers, 1 of which may be Byzantine; workers need --servers 3"
                                + " --byzantine-servers 1 --worker-models per-server");
    }

    @Test
    void oneServer() {
        assertThat(WorkersOutside.servers(Topology.ONE)).isEmpty();
    }
}
