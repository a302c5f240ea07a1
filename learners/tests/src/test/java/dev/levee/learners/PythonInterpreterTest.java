package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.connectors.data.Batch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Needs no PyTorch; interpreters are shell scripts, some of which start {@code python3}. */
class PythonInterpreterTest {
    @TempDir Path folder;

    private void refuses(String address, String sentence) {
        assertThatThrownBy(() -> Models.open("python:" + address, new int[] {4}, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    private void refusesInterpreter(String script, String what) {
        Path interpreter = PythonFiles.interpreter(folder, script);
        Path file = PythonFiles.write(folder.resolve("net.py"), "");
        refuses(
                file + "?python=" + interpreter,
                "the interpreter %s %s".formatted(interpreter, what));
    }

    @Test
    void addressesThatMeanNothing() {
        refuses(
                "",
                "the model python: lacks the path of a Python file: write"
                        + " python:FILE.py?make=NAME&python=INTERPRETER&timeout=SECONDS&threads=N"
                        + "&memory=MIB&device=DEVICE");
        refuses(
                "net.py?speed=1",
                "the model python:net.py?speed=1 has no option speed: write"
                        + " python:FILE.py?make=NAME&python=INTERPRETER&timeout=SECONDS&threads=N"
                        + "&memory=MIB&device=DEVICE");
        refuses(
                "net.py?timeout=0",
                "timeout of the model python:net.py?timeout=0 must be a whole number from 1 to"
                        + " 1000000, got 0");
        refuses(
                "net.py?make=%zz",
                "make of the model python:net.py?make=%zz must be percent-encoded, got %zz");
        refuses("/no/net.py", "model file /no/net.py does not exist");
        refuses(folder.toString(), "model file " + folder + " is a folder");
    }

    @Test
    void filesAreReadAsUtf8() throws Exception {
        Path file = PythonFiles.write(folder.resolve("net.py"), "\uFEFFdef data(id, of): pass");
        assertThat(Models.ownData("python:" + file)).contains("python:" + file);
        Files.writeString(file, "# coding: latin-1\nname = 'é'", StandardCharsets.ISO_8859_1);
        refuses(
                file.toString(),
                "model file " + file + " is not encoded in UTF-8: save it in that encoding");
    }

    /** The one that waits ends between the end of its fork and the answer to it. */
    @Test
    void aServerForgetsAForkWhoeverEndsFirst() throws Exception {
        assumeThat(PythonFiles.succeeds("python3", "--version")).as("a python3").isTrue();
        String name = "internal/python/fork_server.py";
        try (InputStream source = PythonInterpreterTest.class.getResourceAsStream(name)) {
            Files.copy(source, folder.resolve("fork_server.py"));
        }
        Files.createDirectory(folder.resolve("server"));
        Path script =
                PythonFiles.write(
                        folder.resolve("ends.py"),
                        """
                        import array, gc, os, select, socket, sys, types

                        sys.modules["torch"] = types.ModuleType("torch")
                        os.chdir(sys.argv.pop())
                        exec(open("fork_server.py").read())
                        waiting, waitpid, new_poll = socket.socket(socket.AF_UNIX), os.waitpid, select.poll

                        def connect():
                            waiting.connect("server/address")
                            streams = array.array("i", [0, 1, 2])
                            waiting.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])

                        def end_both(pid, options):
                            global IDLE_MILLIS
                            ended = waitpid(pid, options)
                            if ended[0]:
                                waiting.close()
                                IDLE_MILLIS = 0
                            return ended

                        class Poll:
                            def __init__(self):
                                self.real = new_poll()
                                self.register, self.unregister = self.real.register, self.real.unregister

                            def poll(self, millis):
                                ready = self.real.poll(millis)
                                if any(event & select.POLLNVAL for _, event in ready):
                                    os._exit(1)
                                return ready

                        gc.freeze, os.waitpid, select.poll = connect, end_both, Poll
                        serve("server/address")
                        os._exit(0)  # the fork
                        """);
        assertThat(PythonFiles.succeeds("python3", script.toString(), folder.toString())).isTrue();
    }

    @Test
    void interpretersThatAreNone() throws Exception {
        Path file = PythonFiles.write(folder.resolve("net.py"), "");
        refuses(
                file + "?python=/no/python",
                "the interpreter /no/python cannot be started: No such file or directory");
        refusesInterpreter("exit 3", "exited with code 3");
        refusesInterpreter("echo no such option >&2; exit 2", "exited with code 2: no such option");
        refusesInterpreter("kill -9 $$", "died of signal 9");
        for (String answer : List.of("hello", "levee failed cut", "levee refused %e", "levee no")) {
            refusesInterpreter(
                    "echo " + answer + "; sleep 1000", "wrote an invalid answer and was ended");
        }
        Path slow = PythonFiles.interpreter(folder, "sleep 1000");
        refuses(
                file + "?timeout=1&python=" + slow,
                "model python:" + file + " did not answer within 1 s and was ended");
    }

    /** Ctrl-C in a terminal reaches an interpreter that has not run its first line yet. */
    @Test
    void ignoresInterruptsFromItsStartOn() {
        assumeThat(Path.of("/bin/sh")).exists();
        refusesInterpreter("kill -INT $$; exit 3", "exited with code 3");
    }

    /** A list of tensors that a module makes of a set would be in another order. */
    @Test
    void oneThatMakesAnotherModuleIsRefused() {
        Path file = PythonFiles.write(folder.resolve("net.py"), "");
        Path other = folder.resolve("other");
        Path interpreter =
                PythonFiles.interpreter(
                        folder,
                        """
                        [ "$4" = serve ] && exit 1
                        while read -r line; do
                            case $line in
                            open*) [ -e %s ] && echo "levee ok v trained 2 w trained 3" ||
                                echo "levee ok w trained 3 v trained 2" ;;
                            *) echo "levee ok scored steps" ;;
                            esac
                        done
                        """
                                .formatted(other));
        Model model = Models.open("python:" + file + "?python=" + interpreter, new int[] {4}, 2);
        PythonFiles.write(other, "");
        assertThatThrownBy(() -> model.initialParameters(0))
                .isInstanceOf(ParticipantException.class)
                .hasMessage(
                        "model python:%s makes another module in this interpreter: tensor 0 is"
                                + " parameter v [2] instead of parameter w [3]",
                        file);
    }

    /** The server chooses for its forks whether glibc keeps free memory, and the order of sets. */
    @Test
    void onlyInterpretersWithoutALimitKeepFreeMemory() throws Exception {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        assumeThat(System.getenv()).doesNotContainKeys("MALLOC_TRIM_THRESHOLD_", "PYTHONHASHSEED");
        Path file = PythonFiles.write(folder.resolve("net.py"), "");
        Path told = folder.resolve("told");
        Path interpreter =
                PythonFiles.interpreter(
                        folder,
                        """
                        [ "$4" = serve ] && echo "keeps ${MALLOC_TRIM_THRESHOLD_:-nothing}, $PYTHONHASHSEED" >> %s
                        exit 3
                        """
                                .formatted(told));
        for (String limit : new String[] {"", "&memory=1500"}) {
            refuses(
                    file + "?python=" + interpreter + limit,
                    "the interpreter %s exited with code 3".formatted(interpreter));
        }
        assertThat(told).hasContent("keeps 4294967296, 0\nkeeps nothing, 0");
    }

    /** The stand-in computes gradients of zeros, but the first one that can remove a file hangs. */
    @Tag("long")
    @Test
    void oneThatHangsIsEndedAndTheNextGradientGetsAnother() {
        Path file = PythonFiles.write(folder.resolve("net.py"), "");
        Path hang = folder.resolve("hang");
        Path interpreter =
                PythonFiles.interpreter(
                        folder,
                        """
                        [ "$4" = serve ] && exit 1
                        while read -r line; do
                            case $line in
                            start*|execute*) echo "levee ok" ;;
                            open*) echo "levee ok w trained 2" ;;
                            attempt*) echo "levee ok scored steps" ;;
                            map*) echo "levee ok" ;;
                            gradient*7*)  echo "levee failed ValueError%%3A%%20no kind trace" ;;
                            *) rm %s 2>&- && exec sleep 1000
                               echo "levee ok 3ff0000000000000 0" ;;
                            esac
                        done
                        """
                                .formatted(hang));
        Model model =
                Models.open(
                        "python:" + file + "?timeout=5&python=" + interpreter, new int[] {4}, 2);
        Batch batch = new Batch(new float[4], new int[1]);
        PythonFiles.write(hang, "");
        try (Learner learner = model.newLearner()) {
            assertThatThrownBy(() -> learner.gradient(new float[2], batch, 0))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessage("model python:%s did not answer within 5 s and was ended", file);
            assertThat(learner.gradient(new float[2], batch, 0).loss()).isEqualTo(1);
            assertThatThrownBy(() -> learner.gradient(new float[2], batch, 7))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessage("model python:%s raised ValueError: no", file);
        }
    }

    @Test
    void pythonThatIsTooOldOrLacksPyTorch() {
        PythonFiles.write(
                folder.resolve("sitecustomize.py"),
                "import sys; sys.version_info = (3, 6, 2); sys.version = '3.6.2 (default)'");
        refusesInterpreter(
                "PYTHONPATH=%s exec python3 \"$@\"".formatted(folder),
                "is Python 3.6.2, and 3.8 or newer is needed");
        PythonFiles.write(folder.resolve("sitecustomize.py"), "");
        PythonFiles.write(folder.resolve("torch.py"), "__version__ = '1.4.0'");
        refusesInterpreter(
                "PYTHONPATH=%s exec python3 \"$@\"".formatted(folder),
                "has PyTorch 1.4.0, and 1.10 or newer is needed");
        PythonFiles.write(
                folder.resolve("torch.py"), "raise ImportError(\"No module named 'torch'\")");
        refusesInterpreter(
                "PYTHONPATH=%s exec python3 \"$@\"".formatted(folder),
                "has no PyTorch that can be imported: No module named 'torch'");
    }

    /** An interpreter ends with the process that started it, whatever it is doing. */
    @Test
    void endsWhenItsInputDoes() throws Exception {
        String script;
        try (var in = Models.class.getResourceAsStream("internal/python/participant.py")) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        PythonFiles.write(folder.resolve("torch.py"), "import time\nwhile True: time.sleep(1)");
        ProcessBuilder builder = new ProcessBuilder("python3", "-u", "-c", script);
        builder.environment().put("PYTHONPATH", folder.toString());
        Process process = builder.start();
        process.getOutputStream()
                .write("start a 0 1 0 cpu 0\n".getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().close();
        assertThat(process.waitFor()).isZero();
    }
}
