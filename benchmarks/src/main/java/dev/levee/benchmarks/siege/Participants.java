package dev.levee.benchmarks.siege;

import java.io.IOException;

/** The participants of a run outside its job. */
interface Participants {
    /** No participants. */
    Participants NONE =
            new Participants() {
                @Override
                public void begin(String run) {}

                @Override
                public void end(int rounds) {}
            };

    /** Called when a run begins. */
    void begin(String run) throws IOException;

    /** Called when a run has ended successfully after this many rounds. */
    void end(int rounds) throws IOException, InterruptedException;
}
