package dev.levee.operators.rounds.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CountOrShareTest {
    @Test
    void liarsAreAWholeNumberSoAShareOfThemIsRoundedDown() {
        CountOrShare fifth = CountOrShare.share("20%");
        assertThat(fifth.mostOf(4)).isZero();
        assertThat(fifth.mostOf(5)).isEqualTo(1);
        assertThat(fifth.mostOf(11)).isEqualTo(2);
        // 0.29 · 100 is 28.999999999999996 in floating point.
        assertThat(CountOrShare.share("29%").mostOf(100)).isEqualTo(29);
        assertThat(CountOrShare.share("12.5 %").mostOf(8)).isEqualTo(1);
    }

    @Test
    void aQuorumIsRoundedUpAndTheRestDown() {
        CountOrShare most = CountOrShare.share("80%");
        assertThat(most.fewestOf(4)).isEqualTo(4);
        assertThat(most.fewestOf(5)).isEqualTo(4);
        assertThat(most.fewestOf(11)).isEqualTo(9);
        for (int n = 1; n < 500; n++) {
            assertThat(most.fewestOf(n) + CountOrShare.share("20%").mostOf(n)).isEqualTo(n);
        }
    }

    @Test
    void aNumberIsThatHoweverManyTakePart() {
        assertThat(CountOrShare.of(3).mostOf(2)).isEqualTo(3);
        assertThat(CountOrShare.of(3).fewestOf(200)).isEqualTo(3);
        assertThat(CountOrShare.of(3)).hasToString("3");
        assertThat(CountOrShare.share("12.50%")).hasToString("12.5%");
        assertThat(CountOrShare.share("20%")).hasToString("20%");
    }

    @Test
    void whatIsNoShareIsRefused() {
        assertThatThrownBy(() -> CountOrShare.share("20"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a share must be like 20%, got 20");
        assertThatThrownBy(() -> CountOrShare.share("101%"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a share must be from 0% to 100%, got 101%");
    }
}
