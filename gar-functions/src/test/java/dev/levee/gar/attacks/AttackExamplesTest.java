package dev.levee.gar.attacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Round;
import dev.levee.gar.block.Blocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

/** Each attack on rows small enough to work out by hand. */
class AttackExamplesTest {
    private static final Round ROUND = new Round(11, 3, 4, 42);
    private static final float[] OWN = {1, -2, 0.5f};
    private static final float[][] HONEST = {{1, 0, 2}, {3, 0, 2}, {5, 0, 5}};

    private static float[] forge(String attack) {
        return Attacks.parse(attack).forge(7, 0, ROUND, OWN, HONEST, 3);
    }

    @Test
    void attacksThatTransformTheOwnGradient() {
        assertThat(forge("none")).containsExactly(1, -2, 0.5f);
        assertThat(forge("reversed")).containsExactly(-100, 200, -50);
        assertThat(forge("reversed(2)")).containsExactly(-2, 4, -1);
        assertThat(forge("reversed(c=2,every=4)")).containsExactly(-2, 4, -1);
        assertThat(forge("reversed(c=2,every=3)")).containsExactly(1, -2, 0.5f);
        assertThat(forge("sign-flip")).containsExactly(-1, 2, -0.5f);
        assertThat(forge("dropped(p=0)")).containsExactly(1, -2, 0.5f);
        assertThat(forge("drop(p=1)")).containsExactly(0, 0, 0);
    }

    @Test
    void attacksThatSendValuesThatAreNoNumbers() {
        assertThat(forge("nan")).containsExactly(Float.NaN, Float.NaN, Float.NaN);
        float infinity = Float.POSITIVE_INFINITY;
        assertThat(forge("inf")).containsExactly(infinity, infinity, infinity);
    }

    /** Means 3, 0, 3; standard deviations with ddof 1: 2, 0, √3. */
    @Test
    void attacksFromTheHonestRows() {
        assertThat(forge("fall-of-empires")).containsExactly(-0.3f, -0f, -0.3f);
        assertThat(forge("fall-of-empires(2)")).containsExactly(-6, -0f, -6);
        assertThat(forge("sign-flip(mean)")).containsExactly(-3, -0f, -3);
        assertThat(forge("mimic")).containsExactly(1, 0, 2);
        assertThat(forge("mimic(2)")).containsExactly(5, 0, 5);
        assertThat(forge("little-is-enough(z=1.5)"))
                .containsExactly(0, 0, (float) (3 - 1.5 * Math.sqrt(3)));
    }

    /**
     * The first row is the reader's; the others pull it by (6, 0, 3), of which f = 3 take a third.
     */
    @Test
    void dissensusTakesThePullAway() {
        assertThat(forge("dissensus")).containsExactly(-1, 0, 1);
        assertThat(forge("dissensus(0)")).containsExactly(1, 0, 2);
    }

    /** 1 + c or 1 − c times each coordinate, as the round's seed, which is the reader's, has it. */
    @Test
    void equivocationTellsEachReaderSomethingElse() {
        Attack attack = Attacks.parse("equivocation(c=1)");
        float[] own = new float[1000];
        Arrays.fill(own, 1);
        float[][] told = new float[2][];
        Arrays.setAll(
                told, reader -> attack.forge(7, 0, new Round(11, 3, 4, reader), own, HONEST, 1000));
        int differ = 0;
        for (int i = 0; i < 1000; i++) {
            assertThat(told[0][i]).isIn(0f, 2f);
            differ += told[0][i] == told[1][i] ? 0 : 1;
        }
        // Binomial with p = ½: four standard deviations are 63.
        assertThat(differ).isBetween(437, 563);
    }

    /** n = 11, f = 3: s = ⌊6.5⌋ − 3 = 3, z = Φ⁻¹(5/8) = 0.3186…. */
    @Test
    void littleIsEnoughComputesItsOwnZ() {
        double z = 0.31863936396437514;
        assertThat(forge("little-is-enough"))
                .containsExactly((float) (3 - 2 * z), 0, (float) (3 - z * Math.sqrt(3)));
        // n = 50, f = 12: s = 26 − 12 = 14, z = Φ⁻¹(24/38)
        assertThat(LittleIsEnough.defaultZ(50, 12)).isEqualTo(Normal.quantile(24.0 / 38));
        assertThatThrownBy(() -> LittleIsEnough.defaultZ(5, 4))
                .hasMessageContaining("no default z for n = 5 and f = 4");
    }

    @Test
    void attacksThatSendNothing() {
        assertThat(Attacks.parse("silent").silent()).isTrue();
        assertThat(Attacks.parse("label-flip").flipsLabels()).isTrue();
        assertThat(Attacks.parse("reversed").silent()).isFalse();
        assertThat(Attacks.parse("reversed").flipsLabels()).isFalse();
        assertThatThrownBy(() -> forge("silent")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void randomAttacksHaveTheirDistribution() {
        int length = 40_000;
        float[] uniform = Attacks.parse("random").forge(1, 0, ROUND, null, new float[0][], length);
        assertThat(mean(uniform)).isBetween(0.49, 0.51);
        assertThat(min(uniform)).isBetween(0f, 0.001f);
        float[] normal =
                Attacks.parse("gaussian(3, 2)").forge(1, 0, ROUND, null, new float[0][], length);
        assertThat(mean(normal)).isBetween(2.95, 3.05);
        double spread = 0;
        for (float x : normal) {
            spread += (x - 3.0) * (x - 3.0);
        }
        assertThat(Math.sqrt(spread / length)).isBetween(1.97, 2.03);
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        float[] dropped = Attacks.parse("dropped").forge(1, 0, ROUND, ones, new float[0][], length);
        assertThat(mean(dropped)).isBetween(0.69, 0.71);
    }

    /** The draws of a coordinate differ between attackers, rounds and blocks, and repeat. */
    @ParameterizedTest
    @ValueSource(strings = {"random", "gaussian", "dropped(0.5)"})
    void drawsDependOnPositionOnly(String name) {
        Attack attack = Attacks.parse(name);
        float[] own = new float[64];
        Arrays.fill(own, 1);
        float[] row = attack.forge(1, 0, ROUND, own, new float[0][], 64);
        assertThat(attack.forge(1, 0, ROUND, own, new float[0][], 64)).isEqualTo(row);
        assertThat(attack.forge(1, 0, ROUND, own, new float[0][], 10))
                .isEqualTo(Arrays.copyOf(row, 10));
        assertThat(attack.forge(2, 0, ROUND, own, new float[0][], 64)).isNotEqualTo(row);
        assertThat(attack.forge(1, 1, ROUND, own, new float[0][], 64)).isNotEqualTo(row);
        Round next = new Round(11, 3, 5, 42);
        assertThat(attack.forge(1, 0, next, own, new float[0][], 64)).isNotEqualTo(row);
        Round other = new Round(11, 3, 4, 43);
        assertThat(attack.forge(1, 0, other, own, new float[0][], 64)).isNotEqualTo(row);
        assertThat(Blocks.SIZE).isGreaterThan(64);
    }

    @Test
    void namesSayWhatIsMeant() {
        assertThat(Attacks.parse("little-is-enough").name()).isEqualTo("little-is-enough");
        assertThat(Attacks.parse("gaussian(0.5)").name()).isEqualTo("gaussian(mean=0.5,std=1)");
        assertThat(Attacks.parse("drop").name()).isEqualTo("dropped(p=0.3)");
        assertThat(Attacks.parse("min-max").name()).isEqualTo("min-max(direction=std)");
        assertThat(Attacks.parse("bulyan-attack").name()).isEqualTo("bulyan-attack(coordinate=0)");
        assertThat(Attacks.parse("optimal-fall-of-empires(clip(2) | nnm | krum)").name())
                .isEqualTo("optimal-fall-of-empires(rule=clip(2) | nnm | krum)");
    }

    @Test
    void attacksFromOutsideAreFound() {
        assertThat(Attacks.names()).contains("echo");
        assertThat(forge("echo(2)")).containsExactly(2, -4, 1);
    }

    @Test
    void wrongNamesAndValuesAreExplained() {
        assertThatThrownBy(() -> Attacks.parse("revesed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "unknown attack revesed: known are none, reversed(c, every), ");
        assertThatThrownBy(() -> Attacks.parse("dropped(p=2)"))
                .hasMessage("dropped: the probability p must be from 0 to 1, got 2");
        assertThatThrownBy(() -> Attacks.parse("reversed(c=-1)")).hasMessageContaining("got -1");
    }

    private static double mean(float[] row) {
        double sum = 0;
        for (float x : row) {
            sum += x;
        }
        return sum / row.length;
    }

    private static float min(float[] row) {
        float min = row[0];
        for (float x : row) {
            min = Math.min(min, x);
        }
        return min;
    }
}
