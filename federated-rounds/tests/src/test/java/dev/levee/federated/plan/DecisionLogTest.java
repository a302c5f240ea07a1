package dev.levee.federated.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class DecisionLogTest {
    private static DecisionLog parse(String text) {
        return DecisionLog.parse(List.of(text.split(";")));
    }

    @Test
    void readsRoundsInOrderWhateverColumnsFollow() {
        DecisionLog log =
                parse(
                        "round,device,base,staleness,weight;0,4,0,0,1.0;0,1,0,0,1.0;"
                                + "1,4,1,0,1.0;1,0,0,1,0.7");
        assertThat(log.devices(0)).containsExactly(1, 4);
        assertThat(log.bases(0)).containsExactly(0, 0);
        assertThat(log.devices(1)).containsExactly(0, 4);
        assertThat(log.bases(1)).containsExactly(0, 1);
        assertThat(log.lastDevice()).isEqualTo(4);
        assertThat(log.mostStale()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "device,round,base | its first line must begin with round,device,base",
                "round,device,base | a log of decisions needs at least one round",
                "round,device,base;1,0,0 | line 2 is of round 1, and round 0 is missing",
                "round,device,base;0,0,0;2,0,1 | line 3 is of round 2, and round 1 is missing",
                "round,device,base;0,0,0;1,0,1;0,1,0 | line 4 is of round 0, which is over",
                "round,device,base;0,0 | line 2 has no numbers for round,device,base",
                "round,device,base;0,zero,0 | line 2 has no numbers for round,device,base",
                "round,device,base;0,2,0;0,2,0 | line 3 is the second of device 2 in round 0",
                "round,device,base;0,2,1"
                        + " | round 0 cannot take a contribution of device 2 to version 1",
                "round,device,base;0,2,0;1,2,0"
                        + " | the contribution of device 2 to version 0 counts twice, in round 1",
            })
    void refusesInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }
}
