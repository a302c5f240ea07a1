package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;

class SharedValueTest {
    /** An operator, which is serialized for itself. */
    private record Operator(String name, SharedValue<double[]> weights) implements Serializable {}

    private static byte[] written(Serializable value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Operator read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return (Operator) in.readObject();
        }
    }

    @Test
    void operatorsOfAJvmHaveOneCopyWhichTravelsCompressed() throws Exception {
        double[] weights = new double[10_000];
        Arrays.setAll(weights, i -> 1 + i % 7);
        SharedValue<double[]> shared = SharedValue.of(weights);
        byte[] first = written(new Operator("first", shared));
        byte[] second = written(new Operator("second", shared));
        assertThat(first.length).isLessThan(Double.BYTES * weights.length / 20);

        Operator here = read(first);
        assertThat(here.weights().get()).isEqualTo(weights).isNotSameAs(weights);
        assertThat(read(second).weights()).isSameAs(here.weights());
        // What was read is written like the first.
        assertThat(written(here)).isEqualTo(first);
    }

    @Test
    void differentValuesStayApart() throws Exception {
        Operator one = read(written(new Operator("one", SharedValue.of(new double[] {1}))));
        Operator two = read(written(new Operator("two", SharedValue.of(new double[] {2}))));
        assertThat(one.weights().get()).containsExactly(1);
        assertThat(two.weights().get()).containsExactly(2);
    }
}
