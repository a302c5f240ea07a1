package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where the flag for the incubating module is missing, everything still works, to the same bits.
 */
class ProviderTest {
    /** Prints which kernels this JVM chose and what a pipeline makes of seeded rows. */
    static final class Report {
        private Report() {}

        public static void main(String[] arguments) {
            System.out.print(report());
        }

        static String report() {
            float[][] rows = Samples.normal(new Random(5), 9, 10_000);
            float[] result = Rules.aggregate(Rules.parse("clip(90) | multi-krum"), rows, 2, 1);
            return Provider.KERNELS.getClass().getSimpleName() + " " + Arrays.hashCode(result);
        }
    }

    /** Nobody waits for the compiler: each kind changes when a thread beside has warmed it up. */
    @ParameterizedTest
    @EnumSource
    void changesToVectorsWhenTheyAreCompiled(WarmUp.Kind kind) {
        assertThat(Provider.KERNELS).isInstanceOf(LateKernels.class);
        Kernels plain = new PlainKernels();
        Kernels vector = new VectorKernels();
        LateKernels late = new LateKernels(plain, vector);
        assertThat(late.now(kind)).isSameAs(plain);
        while (late.now(kind).equals(plain)) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            LockSupport.parkNanos(1_000_000); // leaves the processor to the compiler
        }
        assertThat(late.now(kind)).isSameAs(vector);
    }

    @Test
    void fallsBackToPlainJava() throws Exception {
        assertThat(report()).isEqualTo(Report.report().replace("Late", "Plain"));
    }

    @Test
    void usesPlainJavaWhereVectorsAreInterpreted() throws Exception {
        String report = report("--add-modules=jdk.incubator.vector", "-XX:TieredStopAtLevel=1");
        assertThat(report).startsWith("PlainKernels ");
    }

    private static String report(String... flags) throws Exception {
        String java =
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        String[] command = {
            java, "-cp", System.getProperty("java.class.path"), Report.class.getName()
        };
        String[] all = new String[command.length + flags.length];
        all[0] = command[0];
        System.arraycopy(flags, 0, all, 1, flags.length);
        System.arraycopy(command, 1, all, 1 + flags.length, command.length - 1);
        Process process =
                new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
