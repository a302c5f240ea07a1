package dev.levee.gar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.block.Blocks;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class AttacksTest {
    @Test
    void rowsOfAttackersFollowTheHonestOnes() {
        float[][] honest = {{1, 2}, {3, 6}};
        assertThat(Attacks.rows(Attacks.parse("fall-of-empires(1)"), honest, 2, 0, 0))
                .isDeepEqualTo(new float[][] {{-2, -4}, {-2, -4}});
        assertThat(Attacks.rows(Attacks.parse("sign-flip"), honest, 3, 0, 0))
                .isDeepEqualTo(new float[][] {{-1, -2}, {-3, -6}, {-1, -2}});
        assertThat(Attacks.rows(Attacks.parse("sign-flip"), honest, 0, 0, 0)).isEmpty();
    }

    /** The third attacker of five workers draws what worker 4 draws. */
    @Test
    void attackersAreWorkersOfTheRound() {
        float[][] honest = {{1, 2}, {3, 6}};
        Attack random = Attacks.parse("random");
        float[] expected = random.forge(4, 0, new Round(5, 3, 7, 9), null, new float[0][], 2);
        assertThat(Attacks.rows(random, honest, 3, 7, 9)[2]).isEqualTo(expected);
    }

    @Test
    void longRowsAreForgedBlockByBlock() {
        int d = Blocks.SIZE + 5;
        float[][] honest = Samples.normal(new Random(3), 3, d);
        Attack attack = Attacks.parse("gaussian");
        float[] row = Attacks.rows(attack, honest, 1, 2, 8)[0];
        Round round = new Round(4, 1, 2, 8);
        float[] second = attack.forge(3, 1, round, null, new float[0][], 5);
        assertThat(Arrays.copyOfRange(row, Blocks.SIZE, d)).isEqualTo(second);
    }

    @Test
    void whatCannotBeForgedIsExplained() {
        float[][] honest = {{1, 2}, {3, 6}};
        assertThatThrownBy(() -> Attacks.rows(Attacks.parse("silent"), honest, 1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("attack silent acts where gradients are computed");
        assertThatThrownBy(() -> Attacks.rows(Attacks.parse("label-flip"), honest, 1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Attacks.parse("silent(after=4)"))
                .hasMessageStartingWith("silent: after must be 0 to 3");
        Attack nan = Attacks.parse("nan");
        assertThatThrownBy(() -> Attacks.rows(nan, honest, -1, 0, 0))
                .hasMessage("the number of attackers must be 0 or more, got -1");
        assertThatThrownBy(() -> Attacks.rows(nan, new float[0][], 1, 0, 0))
                .hasMessage("attack nan needs at least one honest row, got none");
        assertThatThrownBy(() -> Attacks.rows(nan, new float[][] {{1}, {1, 2}}, 1, 0, 0))
                .hasMessage("all rows must have 1 coordinates, row 1 has 2");
    }
}
