package dev.levee.operators.rounds.training;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.learners.Gradient;
import dev.levee.learners.LocalRound;

import java.util.Map;

/**
 * Trains with the model's own loop, from the server's model x to w. The result is sent like one
 * gradient: (x − w) / γ with the round's learning rate γ, smoothed as gradients are. So a server
 * that takes plain steps of γ moves to the combination of the participants' models. If γ is 0, the
 * server cannot move, and zeros are sent. Buffers are sent with their values after the loop.
 *
 * @param steps number of batches of a round
 * @param smoothing the smoothing of these gradients
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
            values[i] = rate == 0 ? 0 : (float) (((double) start[i] - values[i]) / rate);
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
