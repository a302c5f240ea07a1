package dev.levee.gar.attacks;

import dev.levee.gar.Round;

import java.util.Arrays;

/**
 * All attackers send a copy of one honest row, which over-represents it without any row being an
 * outlier (Karimireddy, He, Jaggi, "Byzantine-Robust Learning on Heterogeneous Datasets via
 * Bucketing", ICLR 2022, section 3; here the worker is given).
 *
 * @param index index of the honest row, ordered by worker, from 0
 */
public record Mimic(int index) implements Collusion {
    public Mimic {
        if (index < 0) {
            throw new IllegalArgumentException(
                    "mimic: the honest row i must be 0 or more, got " + index);
        }
    }

    @Override
    public String name() {
        return "mimic(i=" + index + ")";
    }

    @Override
    public void check(Round round, int honest) {
        if (index >= honest) {
            throw new IllegalArgumentException(
                    "mimic: the honest row i must be below the number of honest rows, which is %s, got %s"
                            .formatted(honest, index));
        }
    }

    @Override
    public float[] forge(
            int attacker, int block, Round round, float[] own, float[][] honest, int length) {
        check(round, honest.length);
        return Arrays.copyOf(honest[index], length);
    }
}
