package dev.levee.featureextraction.link;

import java.io.IOException;

/** An undamaged message that this version can never accept. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String sentence) {
        super(sentence);
    }
}
