package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.learners.Gradient;
import dev.levee.learners.LocalRound;

import java.util.Map;

/**
 * A round by the model's own loop, from the server's model x to w, which is sent as if it were one
 * gradient: (x − w) / γ with the round's learning rate γ, then smoothed as gradients are. A server
 * that takes plain steps of γ so moves to the combination of the participants' models. Buffers are
 * sent as the loop leaves them.
 *
 * @param steps batches of a round
 * @param smoothing the smoothing of such gradients
 */
public record OwnLoopWork(int steps, GradientWork smoothing) implements Work {
    @Override
    public void check(Training training) {
        require(
                steps >= 1 && training.model().ownLoop(),
                "{work} needs at least 1 step and a model with a loop of its own, got %s",
                training.model().name());
    }

    @Override
    public Result work(Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        float[] start = task.parameters();
        double rate = task.settings().learningRate();
        LocalRound.Result round = gradients.trained(start, rate, steps);
        float[] values = round.parameters().clone();
        for (int i = 0; i < trainable; i++) {
            values[i] = (float) (((double) start[i] - values[i]) / rate);
        }
        Gradient sent = new Gradient(values, round.loss());
        return smoothing
                .work(task, kept, trainable, (parameters, step) -> sent)
                .keeping(round.state());
    }

    @Override
    public Map<String, float[]> recovered(float[] sent) {
        return smoothing.recovered(sent);
    }
}
