package dev.levee.gar.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Round;
import dev.levee.gar.Samples;
import dev.levee.gar.block.Blocks;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What every attack on vectors promises, those from outside included. */
class AttackContractTest {
    private static final int HONEST = 9;
    private static final Round ROUND = new Round(HONEST + 2, 2, 4, 42);

    static List<String> attacks() {
        return Stream.concat(
                        Attacks.names().stream(),
                        Stream.of(
                                "sign-flip(mean)",
                                "mimic(8)",
                                "min-max(unit)",
                                "min-max(sign)",
                                "min-sum(unit)",
                                "min-sum(sign,least)",
                                "bulyan-attack(coordinate=all)",
                                "optimal-little-is-enough(nnm | clip(c=2) | median)",
                                "echo(times=-2)"))
                .filter(name -> !Attacks.parse(name).silent() && !Attacks.parse(name).flipsLabels())
                .toList();
    }

    private static float[] forge(Attack attack, int attacker, float[][] rows, int length) {
        float[] own = attack.sees() == Attack.Sees.OWN ? rows[0] : null;
        float[][] honest = attack.sees() == Attack.Sees.HONEST ? rows : new float[0][];
        return attack.forge(attacker, 0, ROUND, own, honest, length);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isAFunctionOfItsArgumentsThatChangesNone(String name) {
        Attack attack = Attacks.parse(name);
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int d = 1 + random.nextInt(40);
            float[][] rows =
                    seed % 2 == 0
                            ? Samples.normal(random, HONEST, d)
                            : Samples.tied(random, HONEST, d);
            float[][] before = Samples.copy(rows);
            float[] forged = forge(attack, 9, rows, d);
            assertThat(rows).as("seed %d", seed).isDeepEqualTo(before);
            assertThat(forged).as("seed %d", seed).hasSize(d).isEqualTo(forge(attack, 9, rows, d));
            forged[0] = 99;
            assertThat(rows).isDeepEqualTo(before);
        }
    }

    /** Broken workers are honest too, and must not stop the attackers. */
    @ParameterizedTest
    @MethodSource("attacks")
    void copesWithHardRows(String name) {
        Attack attack = Attacks.parse(name);
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int d = 1 + random.nextInt(20);
            float[][] rows =
                    seed % 2 == 0
                            ? Samples.hard(random, HONEST, d)
                            : Samples.scaled(random, HONEST, d);
            assertThat(forge(attack, 10, rows, d)).as("seed %d", seed).hasSize(d);
        }
    }

    /** A row forged block by block does not depend on how many coordinates a call is for. */
    @ParameterizedTest
    @MethodSource("attacks")
    void coordinatesOfABlockwiseAttackStandAlone(String name) {
        Attack attack = Attacks.parse(name);
        if (!attack.whole()) {
            float[][] rows = Samples.normal(new Random(5), HONEST, 5000);
            float[] all = forge(attack, 9, rows, 5000);
            assertThat(forge(attack, 9, rows, 2049)).isEqualTo(Arrays.copyOf(all, 2049));
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void attackersThatShareARowSendTheSame(String name) {
        Attack attack = Attacks.parse(name);
        if (attack.shared()) {
            float[][] rows = Samples.normal(new Random(6), HONEST, 33);
            assertThat(forge(attack, 9, rows, 33)).isEqualTo(forge(attack, 10, rows, 33));
        }
    }

    /** An attack that is whole sees whole rows, wherever the blocks end. */
    @ParameterizedTest
    @MethodSource("attacks")
    void longRowsAreForgedAsTheAttackSays(String name) {
        Attack attack = Attacks.parse(name);
        if (attack.whole()) {
            int d = name.startsWith("optimal") ? 100 : Blocks.SIZE + 9;
            float[][] rows = Samples.normal(new Random(7), HONEST, d);
            assertThat(Attacks.rows(attack, rows, 2, 4, 42)[1])
                    .isEqualTo(forge(attack, 10, rows, d));
        }
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void namesReadBack(String name) {
        Attack attack = Attacks.parse(name);
        assertThat(Attacks.parse(attack.name())).isEqualTo(attack);
    }
}
