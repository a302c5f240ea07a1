package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Path;

/** Skipped where no {@code python3} has PyTorch. */
@Tag("native")
@Execution(ExecutionMode.CONCURRENT)
class PythonDataTest {
    @TempDir Path folder;

    private String address(String source) {
        return PythonFiles.model(folder, source);
    }

    private Dataset open(String source, Datasets.Split split) {
        return Datasets.open(address(source) + "&participants=3", split);
    }

    @Test
    void eachParticipantOwnsWhatDataGivesIt() {
        String source =
                """
                import numpy as np
                import torch

                def data(id, of):
                    if id == "test":
                        return torch.full((2, 1, 2), 9.0), torch.tensor([0, 3])
                    if id == 1:
                        return [(np.array([[1.5, id]]), id)] * 2
                    return np.full((id + 1, 1, 2), of), [id] * (id + 1)
                """;
        Dataset train = open(source, Datasets.Split.TRAIN);
        assertThat(train.size()).isEqualTo(6);
        assertThat(train.owners()).isEqualTo(3);
        assertThat(train.shape()).containsExactly(1, 2);
        assertThat(train.classes()).isEqualTo(3);
        assertThat(train.batch(new int[] {0, 1, 3}).features())
                .containsExactly(3, 3, 1.5f, 1, 3, 3);
        assertThat(train.batch(new int[] {0, 2, 5}).labels()).containsExactly(0, 1, 2);
        assertThat(train.owner(0)).isZero();
        assertThat(train.owner(2)).isEqualTo(1);
        assertThat(train.owner(5)).isEqualTo(2);
        Dataset test = open(source, Datasets.Split.TEST);
        assertThat(test.size()).isEqualTo(2);
        assertThat(test.batch(new int[] {1}).features()).containsExactly(9, 9);
    }

    @Test
    void floatingPointTargetsAreNumbersToLearn() {
        Dataset train =
                open(
                        """
                        import torch

                        def data(id, of):
                            return torch.arange(4), torch.tensor([0.5, 1, 2, id])
                        """,
                        Datasets.Split.TRAIN);
        assertThat(train.targets()).isEqualTo(1);
        assertThat(train.shape()).containsExactly(1);
        assertThat(train.batch(new int[] {0, 11}).targets()).containsExactly(0.5f, 2);
    }

    @Test
    void whatIsWrongIsSaidInASentence() {
        refuses("x = 1", "has no data(id, of)");
        refuses("def data(id, of): return None", "has a data(0, 3) that is no tuple of two arrays");
        refuses(
                "def data(id, of): raise OSError('no')",
                "has a data(0, 3) that raises OSError: no (net.py, line 1)");
        refuses(
                "import torch\ndef data(id, of): return torch.ones(2, 3), torch.ones(3)",
                "has a data(0, 3) of (2, 3) inputs and (3,) targets");
        assertThatThrownBy(
                        () ->
                                open(
                                        "import torch\n"
                                                + "def data(id, of): return torch.ones(2, 3 + id), [0, 1]",
                                        Datasets.Split.TRAIN))
                .hasMessageEndingWith("gives samples of another kind or shape to 1 than to 0");
    }

    private void refuses(String source, String sentence) {
        assertThatThrownBy(() -> open(source, Datasets.Split.TRAIN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("model python:%s %s", folder.resolve("net.py"), sentence);
    }

    @Test
    void aModelSaysWhetherItsFileBringsData() {
        String model = address("def data(id, of):\n    pass\n");
        assertThat(Models.ownData(model + "&threads=2")).contains(model);
        String file = "python:" + folder.resolve("net.py");
        assertThat(Models.ownData(file)).contains(file);
        assertThat(Models.ownData(address("class A:\n    def data(id, of): pass\n"))).isEmpty();
        assertThat(Models.ownData("python:" + folder.resolve("none.py"))).isEmpty();
        assertThat(Models.ownData("mnist-cnn")).isEmpty();
    }
}
