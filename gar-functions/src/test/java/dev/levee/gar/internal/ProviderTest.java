package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.gar.Samples;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;

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

    /**
     * Uses every kind of kernels and prints those that change to vectors. Sums are compiled before
     * all others, so that the profiles of the Vector API have vectors of two sizes, which once kept
     * vectors of pairs as objects.
     */
    static final class Changes {
        /** Of a millisecond at least, so longer than the product tries. */
        private static final int PAUSES = 400_000;

        private Changes() {}

        public static void main(String[] arguments) {
            Kernels vectors = new VectorKernels();
            WarmUp.touch(vectors);
            new WarmUp(vectors).run(EnumSet.of(WarmUp.Kind.SUMS), WarmUp.PAUSES, kind -> {});
            LateKernels late = (LateKernels) Provider.KERNELS;
            EnumMap<WarmUp.Kind, Kernels> before = new EnumMap<>(WarmUp.Kind.class);
            for (WarmUp.Kind kind : WarmUp.Kind.values()) {
                before.put(kind, late.now(kind));
            }
            Set<WarmUp.Kind> changed = EnumSet.noneOf(WarmUp.Kind.class);
            for (int pause = 0; pause < PAUSES && changed.size() < before.size(); pause++) {
                before.forEach(
                        (kind, kernels) -> {
                            if (late.now(kind) != kernels) {
                                changed.add(kind);
                            }
                        });
                LockSupport.parkNanos(1_000_000); // leaves the processor to the compiler
            }
            System.out.print(changed);
        }
    }

    /** Nobody waits for the compiler: each kind changes when a thread beside has warmed it up. */
    @Tag("long")
    @Test
    void changesToVectorsWhenTheyAreCompiled() throws Exception {
        String all = Arrays.toString(WarmUp.Kind.values());
        String changed = output(Changes.class, 300, "--add-modules=jdk.incubator.vector");
        assertThat(changed).isEqualTo(all);
    }

    /** A helper among the vector kernels would not be inlined either, and box its vectors. */
    @Test
    void theCompilerDoesNotInlineVectorKernelsWhichAreEntriesOnly() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .contains("-XX:CompileCommand=dontinline," + VectorKernels.class.getName() + "::*");
        Set<String> entries =
                Arrays.stream(Kernels.class.getMethods())
                        .map(Method::getName)
                        .collect(Collectors.toSet());
        assertThat(VectorKernels.class.getDeclaredMethods())
                .extracting(Method::getName)
                .isSubsetOf(entries);
    }

    @Test
    void saysWhatIsNotCompiledAndStaysPlain() throws Exception {
        Kernels plain = new PlainKernels();
        LateKernels late = new LateKernels(plain, neverCompiled(plain), 3);
        BlockingQueue<LogRecord> log = new LinkedBlockingQueue<>();
        Handler handler = new Logged(log);
        Logger logger = Logger.getLogger(Kernels.class.getName());
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            assertThat(late.now(WarmUp.Kind.WINDOWS)).isSameAs(plain);
            List<String> said = new ArrayList<>();
            while (said.isEmpty() || !said.get(said.size() - 1).contains("WINDOWS")) {
                LogRecord logged = log.poll(5, TimeUnit.MINUTES);
                assertThat(logged).as("after " + said).isNotNull();
                assertThat(logged.getLevel()).isEqualTo(Level.WARNING);
                said.add(new SimpleFormatter().formatMessage(logged));
            }
            assertThat(said).doesNotHaveDuplicates();
            assertThat(said.get(said.size() - 1))
                    .isEqualTo(
                            "Java has not compiled the vector kernels of the kind WINDOWS: this"
                                    + " process uses plain Java for them, which is slower");
            assertThat(late.now(WarmUp.Kind.WINDOWS)).isSameAs(plain);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    /** Kernels that allocate in each call, as those do whose vectors stay objects. */
    private static Kernels neverCompiled(Kernels plain) {
        AtomicReference<double[]> objects = new AtomicReference<>();
        return (Kernels)
                Proxy.newProxyInstance(
                        Kernels.class.getClassLoader(),
                        new Class<?>[] {Kernels.class},
                        (proxy, method, arguments) -> {
                            objects.set(new double[256]);
                            return method.invoke(plain, arguments);
                        });
    }

    /** Keeps what is logged. */
    private static final class Logged extends Handler {
        private final BlockingQueue<LogRecord> records;

        Logged(BlockingQueue<LogRecord> records) {
            this.records = records;
        }

        @Override
        public void publish(LogRecord logged) {
            records.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
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
        return output(Report.class, 60, flags);
    }

    /** Runs a class in a JVM of its own. */
    private static String output(Class<?> main, int seconds, String... flags) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
