package dev.levee.jobs.internal.run;

import java.util.ArrayList;
import java.util.List;

/** Builds the commands that a user is told for a run that was detached, interrupted or canceled. */
public final class RunHints {
    private RunHints() {}

    /**
     * The command that continues a run.
     *
     * @param arguments the arguments that the user typed, starting with the command
     * @param root output folder, an absolute URI
     * @param resume the checkpoint to resume from, null if the run itself finds it
     */
    public static String resume(List<String> arguments, String root, String resume) {
        List<String> words = new ArrayList<>(List.of("levee"));
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("--resume") || word.equals("--output")) {
                i++;
            } else if (!word.matches("--(resume|output)=.*|--new|--detach")) {
                words.add(ShellWords.quoted(word));
            }
        }
        words.add("--output " + ShellWords.quoted(ShellWords.shown(root)));
        if (resume != null) {
            words.add("--resume " + ShellWords.quoted(ShellWords.shown(resume)));
        }
        return String.join(" ", words);
    }

    /** The commands that reconnect to a detached run, one on each line. */
    public static String comeBack(String root) {
        String run = ShellWords.quoted(ShellWords.shown(root));
        return """
        Reattach with:       levee attach %s
        Show progress with:  levee status %s
        Cancel with:         levee cancel %s\
        """
                .formatted(run, run, run);
    }
}
