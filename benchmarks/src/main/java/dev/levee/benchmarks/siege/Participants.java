package dev.levee.benchmarks.siege;

import java.io.IOException;

/** The participants of a run beside its job. */
interface Participants {
    /** Nobody. */
    Participants NONE =
            new Participants() {
                @Override
                public void begin(String run) {}

                @Override
                public void end(int rounds) {}
            };

    /** A run begins. */
    void begin(String run) throws IOException;

    /** It has ended well after so many rounds. */
    void end(int rounds) throws IOException, InterruptedException;
}
