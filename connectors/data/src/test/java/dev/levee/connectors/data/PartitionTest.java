package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

class PartitionTest {
    private static int[] labels(Random random, int size, int classes) {
        return random.ints(size, 0, classes).toArray();
    }

    private static IntStream sizes(int[][] shares) {
        return Arrays.stream(shares).mapToInt(share -> share.length);
    }

    private static int distinct(int[] samples, int[] labels) {
        return (int) Arrays.stream(samples).map(i -> labels[i]).distinct().count();
    }

    private static double meanClasses(int[][] shares, int[] labels) {
        return Arrays.stream(shares).mapToInt(s -> distinct(s, labels)).average().orElseThrow();
    }

    /** A hundred samples each of ten classes, 0 to 9 over and over. */
    private static int[] thousand() {
        return IntStream.range(0, 1000).map(i -> i % 10).toArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "iid",
                "by-class",
                "dirichlet(0.01)",
                "dirichlet(1)",
                "dirichlet(1000000)",
                "dirichlet(1.0E-300)",
                "gamma(0)",
                "gamma(0.5)",
                "gamma(0.37)",
                "gamma(1)"
            })
    void dealsEverySampleOnceAndToEveryWorker(String name) {
        Partition partition = Partition.parse(name);
        for (long seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            int classes = 1 + random.nextInt(12);
            int workers = 1 + random.nextInt(20);
            int size = workers + (seed % 3 == 0 ? 0 : random.nextInt(300));
            int[] labels = labels(random, size, classes);
            int[][] shares = partition.deal(labels, classes, workers, seed);
            assertThat(shares).as("seed %d", seed).hasNumberOfRows(workers);
            assertThat(sizes(shares)).as("seed %d", seed).allMatch(length -> length > 0);
            assertThat(Arrays.stream(shares).flatMapToInt(Arrays::stream).sorted())
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(IntStream.range(0, size).boxed().toList());
            assertThat(partition.deal(labels, classes, workers, seed))
                    .as("seed %d", seed)
                    .isDeepEqualTo(shares);
            if (!name.startsWith("dirichlet")) {
                assertThat(sizes(shares))
                        .as("seed %d", seed)
                        .allMatch(
                                length -> length == size / workers || length == size / workers + 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"iid", "by-class", "dirichlet(0.5)", "gamma(0.5)"})
    void dependsOnTheSeed(String name) {
        Partition partition = Partition.parse(name);
        assertThat(partition.deal(thousand(), 10, 7, 1))
                .isNotEqualTo(partition.deal(thousand(), 10, 7, 2));
    }

    @Test
    void iidGivesEveryWorkerAllClasses() {
        int[][] shares = Partition.parse("iid").deal(thousand(), 10, 10, 1);
        assertThat(meanClasses(shares, thousand())).isEqualTo(10);
    }

    @Test
    void byClassGivesEveryWorkerOneClassWhereThereAreAsManyWorkers() {
        int[][] shares = Partition.parse("by-class").deal(thousand(), 10, 10, 1);
        for (int worker = 0; worker < 10; worker++) {
            int own = worker;
            assertThat(shares[worker]).hasSize(100);
            assertThat(Arrays.stream(shares[worker])).allMatch(i -> i % 10 == own);
        }
        assertThat(meanClasses(Partition.parse("by-class").deal(thousand(), 10, 5, 1), thousand()))
                .isEqualTo(2);
    }

    @Test
    void byClassByHand() {
        int[] labels = {2, 0, 1, 0, 2};
        int[][] shares = Partition.parse("by-class").deal(labels, 3, 2, 5);
        assertThat(shares[0]).containsExactlyInAnyOrder(1, 3, 2);
        assertThat(shares[1]).containsExactlyInAnyOrder(0, 4);
    }

    @Test
    void gammaDealsItsFractionAtRandomAndTheRestByClass() {
        int[][] shares = Partition.parse("gamma(0.4)").deal(thousand(), 10, 10, 3);
        for (int worker = 0; worker < 10; worker++) {
            int own = worker;
            long ofOwn = Arrays.stream(shares[worker]).filter(i -> i % 10 == own).count();
            // 60 dealt by class, of which few may belong to a neighbour, and about 4 of 40 others.
            assertThat(ofOwn).as("worker %d", worker).isBetween(40L, 75L);
        }
        assertThat(Partition.parse("gamma(1)").deal(thousand(), 10, 10, 3))
                .isDeepEqualTo(Partition.parse("iid").deal(thousand(), 10, 10, 3));
        assertThat(Partition.parse("gamma(0)").deal(thousand(), 10, 10, 3))
                .isDeepEqualTo(Partition.parse("by-class").deal(thousand(), 10, 10, 3));
    }

    @Test
    void dirichletGoesFromOneClassToEqualShares() {
        double skewed = 0;
        double equal = 0;
        for (long seed = 0; seed < 20; seed++) {
            int[][] narrow = Partition.parse("dirichlet(0.05)").deal(thousand(), 10, 10, seed);
            skewed += meanClasses(narrow, thousand()) / 20;
            int[][] wide = Partition.parse("dirichlet(10000)").deal(thousand(), 10, 10, seed);
            equal += meanClasses(wide, thousand()) / 20;
            assertThat(sizes(wide))
                    .as("seed %d", seed)
                    .allMatch(length -> length > 90 && length < 110);
        }
        assertThat(skewed).isLessThan(4);
        assertThat(equal).isEqualTo(10);
    }

    /** The share of one of n workers has mean 1/n and variance (n − 1) / (n² (nα + 1)). */
    @Test
    void dirichletHasItsMoments() {
        int[] labels = new int[1000];
        int draws = 4000;
        for (double alpha : new double[] {0.3, 1, 5}) {
            Partition partition = Partition.parse("dirichlet(" + alpha + ")");
            double sum = 0;
            double squares = 0;
            for (long seed = 0; seed < draws; seed++) {
                double share = partition.deal(labels, 1, 4, seed)[1].length / 1000.0;
                sum += share;
                squares += share * share;
            }
            double mean = sum / draws;
            assertThat(mean).as("α = %s", alpha).isCloseTo(0.25, within(0.02));
            double variance = 3 / (16 * (4 * alpha + 1));
            assertThat(squares / draws - mean * mean)
                    .as("α = %s", alpha)
                    .isCloseTo(variance, within(0.1 * variance));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "iid, iid",
        "' by-class ', by-class",
        "dirichlet( 0.5 ), dirichlet(0.5)",
        "dirichlet(1.0), dirichlet(1)",
        "dirichlet(1e-9), dirichlet(1.0E-9)",
        "gamma(0.25), gamma(0.25)"
    })
    void nameIsReadBack(String text, String name) {
        Partition partition = Partition.parse(text);
        assertThat(partition.name()).isEqualTo(name);
        assertThat(Partition.parse(partition.name())).isEqualTo(partition);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    random         | unknown partition random: it must be by-class, dirichlet(α), fegan(max_class=C,max_samples=S), gamma(γ), iid, natural or round-robin
                    ''             | unknown partition : it must be by-class, dirichlet(α), fegan(max_class=C,max_samples=S), gamma(γ), iid, natural or round-robin
                    iid(2)         | the partition iid takes no parameter, got iid(2)
                    by-class()     | the partition by-class takes no parameter, got by-class()
                    dirichlet      | the partition dirichlet needs a number, as in dirichlet(0.5)
                    dirichlet(a)   | the partition dirichlet(a) needs a number, as in dirichlet(0.5)
                    dirichlet(0)   | dirichlet(α) needs a finite α > 0, got dirichlet(0)
                    dirichlet(NaN) | dirichlet(α) needs a finite α > 0, got dirichlet(NaN)
                    fegan          | the partition fegan needs two whole numbers, as in fegan(max_class=40,max_samples=500)
                    fegan(4,100)   | the partition fegan(4,100) needs two whole numbers, as in fegan(max_class=40,max_samples=500)
                    fegan(max_class=0,max_samples=9) | fegan needs max_class and max_samples of at least 1, got 0 and 9
                    gamma(1.5)     | gamma(γ) needs 0 ≤ γ ≤ 1, got gamma(1.5)
                    gamma(-1)      | gamma(γ) needs 0 ≤ γ ≤ 1, got gamma(-1)
                    """)
    void refusesInOneSentence(String text, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Partition.parse(text))
                .withMessage(sentence);
    }

    /** Device 5 of 10, from 1, has 1 to 20·5/10 = 10 classes, and 1 to min(25, 60·5/10) of each. */
    @Tag("long")
    @Test
    void feganGivesLaterDevicesMoreClassesAndMoreOfEach() {
        Partition partition = Partition.parse("fegan(max_class=20, max_samples=60)");
        int[] labels = IntStream.range(0, 2000).map(i -> i % 40).toArray();
        int[] mostClasses = new int[10];
        int[] mostSamples = new int[10];
        boolean overlap = false;
        for (long seed = 0; seed < 400; seed++) {
            int[][] shares = partition.deal(labels, 40, 10, seed);
            if (seed < 10) {
                assertThat(partition.deal(labels, 40, 10, seed)).isDeepEqualTo(shares);
            }
            for (int device = 0; device < 10; device++) {
                int[] share = shares[device];
                assertThat(share).isNotEmpty().doesNotHaveDuplicates();
                int[] perClass = new int[40];
                Arrays.stream(share).forEach(sample -> perClass[labels[sample]]++);
                mostClasses[device] = Math.max(mostClasses[device], distinct(share, labels));
                mostSamples[device] =
                        Math.max(mostSamples[device], Arrays.stream(perClass).max().orElseThrow());
            }
            overlap |=
                    Arrays.stream(shares[8])
                            .anyMatch(s -> Arrays.stream(shares[9]).anyMatch(t -> s == t));
        }
        assertThat(mostClasses).containsExactly(2, 4, 6, 8, 10, 12, 14, 16, 18, 20);
        // Of each class there are 50.
        assertThat(mostSamples).containsExactly(1, 4, 9, 16, 25, 36, 42, 48, 50, 50);
        assertThat(overlap).isTrue();
    }

    @Test
    void feganHasNoMoreThanThereIs() {
        int[][] shares =
                Partition.parse("fegan(max_class=100,max_samples=100)")
                        .deal(new int[] {0, 0, 2}, 3, 50, 1);
        assertThat(shares).hasNumberOfRows(50);
        assertThat(sizes(shares)).allMatch(size -> size >= 1 && size <= 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"iid", "by-class", "dirichlet(0.5)", "gamma(0.5)"})
    void refusesWhatCannotBeDealt(String name) {
        Partition partition = Partition.parse(name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> partition.deal(new int[3], 1, 5, 0))
                .withMessage(
                        "3 samples cannot be distributed to 5 workers: each needs at least"
                                + " one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> partition.deal(new int[3], 1, 0, 0))
                .withMessage("there must be at least one worker, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> partition.deal(new int[] {0, 2}, 2, 1, 0))
                .withMessage("sample 1 has the label 2, which is not among the 2 classes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"iid", "by-class", "dirichlet(0.5)", "gamma(0.5)"})
    void travels(String name) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(Partition.parse(name));
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(Partition.parse(name));
        }
    }

    @Test
    void naturalGivesEachWorkerTheSamplesOfItsOwner() {
        Partition natural = Partition.parse("natural");
        assertThat(natural.byOwners()).isTrue();
        int[] owners = {1, 0, 1, 2, 1};
        assertThat(natural.deal(owners, 3, 3, 5)).isDeepEqualTo(new int[][] {{1}, {0, 2, 4}, {3}});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> natural.deal(owners, 3, 2, 5))
                .withMessage(
                        "the samples come from 3 owners, and the partition natural needs as "
                                + "many workers, not 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> natural.deal(owners, 4, 4, 5))
                .withMessage("owner 3 has no sample left to train on");
    }
}
