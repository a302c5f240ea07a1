package dev.levee.jobs.internal.run;

import java.util.ArrayList;
import java.util.List;

/** The commands that a user is told for a run that was left, interrupted or canceled. */
public final class RunHints {
    private RunHints() {}

    /**
     * The command that continues with a run.
     *
     * @param arguments the arguments that the user typed, the command first
     * @param root output folder, an absolute URI
     * @param resume from where, null if the run itself knows it
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

    /** The commands for a run that is left to its cluster, in lines. */
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
