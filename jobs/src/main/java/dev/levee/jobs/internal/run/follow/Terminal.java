package dev.levee.jobs.internal.run.follow;

import picocli.CommandLine;

import java.io.PrintWriter;

/** The output of a command: results on standard output, everything else on standard error. */
public final class Terminal {
    /** Time between two progress lines that both stay. */
    static final long LINE_MILLIS = 5000;

    private static final long IN_PLACE_MILLIS = 500;
    private static final String CLEAR = "\r\u001b[K";
    private static final String CLIP = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean inPlace;
    private boolean open;
    private String latest;

    /** Opens the output of a command. The launcher tells whether it is a real terminal. */
    public Terminal(CommandLine command) {
        this.out = command.getOut();
        this.err = command.getErr();
        this.inPlace = Boolean.getBoolean("levee.terminal");
    }

    /** True if lines can be replaced in place. */
    public boolean inPlace() {
        return inPlace;
    }

    /** Time between two progress lines, which is longer if they go to a file. */
    public long pauseMillis() {
        return inPlace ? IN_PLACE_MILLIS : LINE_MILLIS;
    }

    /** Prints a result. */
    public synchronized void result(String text) {
        endProgress();
        out.println(text);
        out.flush();
    }

    /** Prints a message. */
    public synchronized void say(String text) {
        endProgress();
        err.println(text);
        err.flush();
    }

    /** Shows progress. Replaces the previous progress if that is possible. */
    public synchronized void progress(String text) {
        if (text.equals(latest)) {
            return;
        }
        latest = text;
        if (inPlace) {
            err.print(CLEAR + CLIP + text + WRAP);
            open = true;
        } else {
            err.println(text);
        }
        err.flush();
    }

    private void endProgress() {
        if (open) {
            err.print(CLEAR);
            err.flush();
            open = false;
            latest = null;
        }
    }
}
