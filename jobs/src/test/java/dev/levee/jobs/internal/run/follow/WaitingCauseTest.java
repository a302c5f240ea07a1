package dev.levee.jobs.internal.run.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class WaitingCauseTest {
    @Test
    void asksBesideTheFollowerAndTellsAnAnswerOnce() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch answer = new CountDownLatch(1);
        WaitingCause cause =
                new WaitingCause(
                        () -> {
                            asked.incrementAndGet();
                            try {
                                answer.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return Optional.of("a topic is gone");
                        });
        assertThat(cause.look(false)).isEmpty();
        assertThat(asked).hasValue(0);
        assertThat(cause.look(true)).isEmpty();
        assertThat(cause.look(true)).as("who asks has no answer yet").isEmpty();
        answer.countDown();
        Optional<String> said = Optional.empty();
        while (said.isEmpty()) {
            Thread.onSpinWait();
            said = cause.look(true);
        }
        assertThat(said).contains("a topic is gone");
        assertThat(cause.look(true)).isEmpty();
        assertThat(asked).as("one question in half a minute").hasValue(1);
    }
}
