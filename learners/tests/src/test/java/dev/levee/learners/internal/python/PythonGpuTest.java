package dev.levee.learners.internal.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.LocalRound;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.PythonFiles;
import dev.levee.learners.Samples;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Gradients that an interpreter computes on a GPU, or in copies as if there were one. */
@Tag("native")
class PythonGpuTest {
    private static final int[] SHAPE = {3, 8, 8};

    private static final String MODULE =
            """
            import torch
            from torch import nn

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.body = nn.Sequential(
                        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 2))
                    self.unused = nn.Parameter(torch.ones(5))
                    self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)

                def forward(self, x):
                    return self.body(x) * self.frozen

            model = Net
            """;

    private static final String LOOP =
            MODULE
                    + """

                    def train(module, data, settings):
                        optimizer = torch.optim.SGD(module.parameters(), lr=settings.learning_rate)
                        for inputs, targets in data:
                            optimizer.zero_grad()
                            loss = nn.functional.cross_entropy(module(inputs), targets)
                            loss.backward()
                            optimizer.step()
                        settings.state["last"] = loss.detach()
                        return loss.item()
                    """;

    /**
     * Makes an interpreter believe in two GPUs, whose memory is the machine's. A process that only
     * hands over to the server of forks need not load PyTorch for that.
     */
    private static final String NO_GPU =
            """
            import os, sys, types

            def pretend():
                import torch

                class Device:
                    real = torch.device

                    def __new__(cls, kind, *index):
                        if index:
                            if os.path.exists(os.path.join(os.path.dirname(__file__), "full")):
                                raise RuntimeError("CUDA out of memory")
                            with open(os.path.join(os.path.dirname(__file__), "taken"), "a") as taken:
                                taken.write("%%s %%d\\n" %% (kind, *index))
                        return cls.real("cpu")

                torch.device = Device
                torch.cuda.is_available, torch.cuda.device_count = lambda: True, lambda: 2
                torch.cuda.mem_get_info = lambda index: (1, 3000)
                torch.cuda.get_device_name = lambda index: "GPU %%d" %% index
                torch.cuda.max_memory_allocated = lambda index: 1000 + index
                torch.cuda.max_memory_reserved = lambda index: 2000 + index
                torch.cuda.cudart = lambda: types.SimpleNamespace(
                    cudaHostRegister=lambda at, size, flags: %d, cudaHostUnregister=lambda at: 0)

            if sys.argv[1:2] != ["fork"]:
                pretend()
            """;

    @TempDir Path folder;

    @Test
    void copiesOnDevicesInTurnGiveTheSameBits() {
        for (int status = 0; status < 2; status++) {
            String address = PythonFiles.model(folder, LOOP);
            assertThat(compare(address, pretended(address, status), 0))
                    .extracting(
                            GpuMemory::gpu,
                            GpuMemory::name,
                            GpuMemory::allocated,
                            GpuMemory::reserved,
                            GpuMemory::total)
                    .containsExactlyInAnyOrder(
                            tuple(0, "GPU 0", 1000L, 2000L, 3000L),
                            tuple(1, "GPU 1", 1001L, 2001L, 3000L));
        }
        assertThat(folder.resolve("taken")).content().contains("cuda 0\n", "cuda 1\n");
    }

    private String pretended(String address, int status) {
        PythonFiles.write(folder.resolve("sitecustomize.py"), NO_GPU.formatted(status));
        String python = address.substring(address.indexOf("?python=") + 8);
        String script = "PYTHONPATH=%s exec %s \"$@\"".formatted(folder, python);
        return address.substring(0, address.indexOf('?'))
                + "?device=cuda&python="
                + PythonFiles.interpreter(folder, script);
    }

    @Test
    void aGpuWithoutRoomForTheFirstInterpreterIsOutOfMemory() throws IOException {
        Model model = Models.open(pretended(PythonFiles.model(folder, MODULE), 0), SHAPE, 2);
        float[] start = model.initialParameters(5);
        Samples samples = Samples.of(SHAPE, 2, 4, 3);
        try (Learner learner = model.newLearner()) {
            Path full = Files.createFile(folder.resolve("full"));
            assertThatThrownBy(() -> learner.gradient(start, samples.all(), 7))
                    .isInstanceOf(OutOfMemoryError.class);
            Files.delete(full);
            assertThat(learner.gradient(start, samples.all(), 7).values()).hasSize(start.length);
        }
    }

    /** Within 1e-2 of the processor: a convolution on a GPU may round its inputs to 10 bits. */
    @Test
    @Tag("gpu")
    void aGpuComputesTheSame() {
        String address = PythonFiles.model(folder, LOOP);
        assumeTrue(PythonFiles.hasGpu(), "skipped: no GPU that PyTorch finds");
        assertThat(compare(address, address + "&device=cuda", 1e-2f))
                .allSatisfy(
                        memory -> {
                            assertThat(memory.allocated()).isPositive();
                            assertThat(memory.reserved())
                                    .isGreaterThanOrEqualTo(memory.allocated());
                            assertThat(memory.total()).isGreaterThan(memory.reserved());
                        });
    }

    /** What two learners on the device have taken of it. */
    private static List<GpuMemory> compare(String processor, String device, float rounding) {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model near = Models.open(device, SHAPE, 2);
        Model here = Models.open(processor, SHAPE, 2);
        float[] start = here.initialParameters(5);
        assertThat(near.initialParameters(5)).isEqualTo(start);
        try (Learner one = here.newLearner();
                Learner other = near.newLearner();
                Learner again = near.newLearner()) {
            for (int size : new int[] {16, 64, 16}) {
                Gradient right = one.gradient(start, samples.all().part(0, size), 7);
                Gradient made = other.gradient(start, samples.all().part(0, size), 7);
                assertThat(made.values()).containsExactly(right.values(), within(rounding));
                assertThat(made.loss()).isCloseTo(right.loss(), within((double) rounding));
                assertThat(again.gradient(start, samples.all().part(0, size), 7).values())
                        .isEqualTo(made.values());
            }
            LocalRound round =
                    new LocalRound(
                            3,
                            1,
                            0.1,
                            9,
                            2,
                            32,
                            i -> samples.all().part(32 * i, 32 * i + 32),
                            new byte[0]);
            LocalRound.Result right = one.train(start, round);
            LocalRound.Result made = other.train(start, round);
            assertThat(made.parameters()).containsExactly(right.parameters(), within(rounding));
            assertThat(again.train(start, round).parameters()).isEqualTo(made.parameters());
            assertThat(made.state()).isNotEmpty();
            assertThat(other.evaluate(made.parameters(), samples).loss())
                    .isCloseTo(
                            one.evaluate(right.parameters(), samples).loss(),
                            within((double) rounding));
            assertThat(one.gpuMemory()).isEmpty();
            GpuMemory first = other.gpuMemory().orElseThrow();
            GpuMemory second = again.gpuMemory().orElseThrow();
            assertThat(first.host()).isNotEmpty().isEqualTo(second.host());
            assertThat(first.process()).isNotEqualTo(second.process());
            return List.of(first, second);
        }
    }
}
