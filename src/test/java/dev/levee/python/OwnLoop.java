package dev.levee.python;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A module in Python with data and a loop of its own, which keeps its optimizer and its generator.
 * Files in its folder disturb it: {@code fail} makes it raise once there is a checkpoint in {@code
 * failed}, {@code die} makes it kill its interpreter, and {@code hold} makes it wait for ever.
 */
final class OwnLoop {
    private static final String SOURCE =
            """
            import glob
            import os
            import threading

            import torch
            from torch import nn

            HERE = os.path.dirname(__file__)


            def model():
                return nn.Linear(6, 3)


            def data(id, of):
                draws = torch.Generator().manual_seed(7)
                centres = 2 * torch.randn(3, 6, generator=draws)
                draws.manual_seed(100 if id == "test" else id)
                classes = torch.randint(0, 3, (40,), generator=draws)
                return centres[classes] + torch.randn(40, 6, generator=draws), classes


            def newest():
                found = glob.glob(os.path.join(HERE, "failed", "**", "chk-*", "_metadata"), recursive=True)
                return max((int(os.path.dirname(path).rpartition("-")[2]) for path in found), default=0)


            def fail():
                # Not before there is a checkpoint that began in this round: the next one may be older.
                before = newest()
                while newest() < before + 2:
                    threading.Event().wait(0.02)
                os.remove(os.path.join(HERE, "fail"))
                raise ValueError("not this time")


            def train(module, data, settings):
                optimizer = torch.optim.SGD(module.parameters(), lr=settings.learning_rate, momentum=0.9)
                noise = torch.Generator().manual_seed(settings.seed)
                if settings.state:
                    optimizer.load_state_dict(settings.state["optimizer"])
                    noise.set_state(settings.state["noise"])
                if settings.participant == 2:
                    with open(os.path.join(HERE, "rounds"), "a") as rounds:
                        rounds.write("%d\\n" % settings.round)
                    if settings.round >= 12 and os.path.exists(os.path.join(HERE, "fail")):
                        fail()
                    if settings.round == 12 and os.path.exists(os.path.join(HERE, "hold")):
                        threading.Event().wait()
                if settings.participant == 1 and settings.round == 6 and os.path.exists(os.path.join(HERE, "die")):
                    os.remove(os.path.join(HERE, "die"))
                    os.kill(os.getpid(), 9)
                for inputs, targets in data:
                    optimizer.zero_grad()
                    inputs = inputs + 0.1 * torch.randn(inputs.shape, generator=noise)
                    nn.functional.cross_entropy(module(inputs), targets).backward()
                    optimizer.step()
                settings.state["optimizer"] = optimizer.state_dict()
                settings.state["noise"] = noise.get_state()
            """;

    private OwnLoop() {}

    /** Writes it to a folder; the arguments of a command that trains it for 20 rounds. */
    static List<String> command(Path folder, String output, String command) throws Exception {
        String python = PythonPackage.requireInterpreter("torch", folder.resolve("modules"));
        return command(folder, python, output, command);
    }

    /** The same with an interpreter. */
    static List<String> command(Path folder, String python, String output, String command)
            throws Exception {
        Path file = Files.writeString(folder.resolve("loop.py"), SOURCE);
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.addAll(
                List.of(
                        "--model=python:" + file,
                        "--python=" + python,
                        "--batch-size=10",
                        "--learning-rate=0.02",
                        "--rounds=20",
                        "--eval-interval=20",
                        "--checkpoint-interval=50ms",
                        "--web-port=0",
                        "--output=" + folder.resolve(output)));
        return arguments;
    }
}
