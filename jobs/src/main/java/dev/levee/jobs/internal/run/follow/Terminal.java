package dev.levee.jobs.internal.run.follow;

import picocli.CommandLine;

import java.io.PrintWriter;

/** The output of a command: results on standard output, everything else on standard error. */
public final class Terminal {
    /** Between two lines of progress that both stay. */
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

    /** The terminal of a command; the launcher says whether it really is one. */
    public Terminal(CommandLine command) {
        this.out = command.getOut();
        this.err = command.getErr();
        this.inPlace = Boolean.getBoolean("levee.terminal");
    }

    /** True if lines can be replaced in place. */
    public boolean inPlace() {
        return inPlace;
    }

    /** The time between two lines of progress, which is longer if they go to a file. */
    public long pauseMillis() {
        return inPlace ? IN_PLACE_MILLIS : LINE_MILLIS;
    }

    /** A result. */
    public synchronized void result(String text) {
        endProgress();
        out.println(text);
        out.flush();
    }

    /** Something to know. */
    public synchronized void say(String text) {
        endProgress();
        err.println(text);
        err.flush();
    }

    /** Shows progress; replaces the previous progress where that is possible. */
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
