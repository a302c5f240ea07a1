package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class DatasetsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    digits              | the data set "digits" lacks a format: write it as idx:digits
                    strokes             | the data set "strokes" lacks a format: write it as strokes:
                    idx:                | idx: lacks the path: write idx:PATH
                    idx:/d?size=3       | idx:/d?size=3 has the unknown option size: idx: knows classes, scale
                    strokes:digits      | strokes:digits names a path, but strokes are generated, not read: write strokes:
                    strokes:?train      | strokes:?train has the option "train", which is not name=value
                    strokes:?train=     | strokes:?train= has the option "train=", which is not name=value
                    strokes:?train=0    | strokes:?train=0: train must be a whole number from 1 to 10000000, got 0
                    strokes:?seed=x     | strokes:?seed=x: seed must be a whole number, got x
                    strokes:?seed=1&seed=2 | strokes:?seed=1&seed=2 has the option seed twice
                    cifar10:/d?a=1      | cifar10:/d?a=1 has the unknown option a: cifar10: knows scale
                    libsvm:/f?holdout=1 | libsvm:/f?holdout=1: holdout must be a number above 0 and below 1, got 1
                    strokes:?validation=1 | strokes:?validation=1: validation must be a number above 0 and below 1, got 1
                    libsvm:/no/file     | /no/file does not exist or cannot be read
                    libsvm:s3://bucket/file | s3://bucket/file cannot be read: Flink has no file system for s3:, neither built in nor as a plugin
                    libsvm:foo://host/file | foo://host/file cannot be read: Flink has no file system for foo:, neither built in nor as a plugin
                    images:/no/folder   | /no/folder does not exist or cannot be read
                    """)
    void refusesInOneSentence(String uri, String sentence) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open(uri, Split.TRAIN))
                .withMessage(sentence);
    }

    @Test
    void namesEveryFormatIfOneIsUnknown() {
        List<String> forms = Datasets.formats().stream().map(DatasetFormat::form).toList();
        assertThat(forms).contains("idx:DIR", "strokes:").isSorted();
        int last = forms.size() - 1;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("mnist:/data", Split.TRAIN))
                .withMessage(
                        "unknown data set mnist:/data: it must be %s or %s",
                        String.join(", ", forms.subList(0, last)), forms.get(last));
    }

    /** An inline data set is as long as its address; neither may outlive those who use it. */
    @Test
    void forgetsInlineSetsThatNobodyUses() {
        String uri = Datasets.inline(new float[][] {{1, 2}, {3, 4}}, new int[] {0, 1}, 2);
        Dataset data = Datasets.open(uri, Split.TRAIN);
        assertThat(Datasets.open(uri, Split.TRAIN)).isSameAs(data);
        WeakReference<String> address = new WeakReference<>(uri);
        WeakReference<Dataset> samples = new WeakReference<>(data);
        uri = null;
        data = null;
        awaitForgotten(samples);
        awaitForgotten(address);
    }

    @Test
    void forgetsWhatCouldNotBeOpened() {
        // Not a constant, which its class would hold.
        String uri = new String("idx:/no/such/folder");
        WeakReference<String> address = new WeakReference<>(uri);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open(address.get(), Split.TRAIN));
        uri = null;
        awaitForgotten(address);
    }

    /** Opens another data set now and then, which is when the process tidies up. */
    private static void awaitForgotten(WeakReference<?> reference) {
        while (reference.get() != null) {
            assertThat(Thread.currentThread().isInterrupted()).as("still held").isFalse();
            System.gc();
            Datasets.open("strokes:?train=20&test=20", Split.TEST);
        }
    }

    /** A quarter of the training samples, and the others, are all of them once. */
    @Test
    void holdsSamplesOutForValidation() {
        String all = "strokes:?train=40&test=20";
        Dataset rest = Datasets.open(all + "&validation=0.25", Split.TRAIN);
        Dataset heldOut = Datasets.validation(all + "&validation=0.25");
        assertThat(rest.size()).isEqualTo(30);
        assertThat(heldOut.size()).isEqualTo(10);
        Dataset together = Datasets.open(all, Split.TRAIN);
        assertThat(Stream.concat(samples(rest), samples(heldOut)))
                .containsExactlyInAnyOrderElementsOf(samples(together).toList());
        assertThat(Datasets.open(all + "&validation=0.25", Split.TEST))
                .isSameAs(Datasets.open(all, Split.TEST));
        assertThat(Datasets.validation(all)).isNull();
    }

    private static Stream<String> samples(Dataset data) {
        return IntStream.range(0, data.size())
                .mapToObj(i -> data.batch(new int[] {i}))
                .map(batch -> batch.labels()[0] + " " + Arrays.toString(batch.features()));
    }

    @Test
    void sharesOneCopyInTheProcess() {
        String uri = "strokes:?train=20&test=20&seed=99";
        Set<Dataset> opened =
                IntStream.range(0, 64)
                        .parallel()
                        .mapToObj(i -> Datasets.open(uri, Split.TRAIN))
                        .collect(
                                Collectors.toCollection(
                                        () ->
                                                Collections.synchronizedSet(
                                                        Collections.newSetFromMap(
                                                                new IdentityHashMap<>()))));
        assertThat(opened).hasSize(1);
        assertThat(Datasets.open(uri, Split.TEST)).isNotIn(opened);
    }
}
