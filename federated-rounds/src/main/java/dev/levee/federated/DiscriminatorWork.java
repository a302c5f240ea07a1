package dev.levee.federated;

import dev.levee.federated.privacy.Privacy;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Gradient;
import dev.levee.learners.NetworkRange;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A round of MD-GAN on a device (Hardy, Le Merrer, Sericola 2019, algorithm 1): its discriminator
 * takes L steps against the server's generator. The device then sends the gradient of the generator
 * by the discriminator's loss. The mean of these gradients is the one that the server would compute
 * from all devices' errors by the chain rule. The generator's part of the vector is exchanged with
 * the server. The discriminator's part stays with the participant, which is the discriminator:
 * after a swap, it computes on another device's data.
 */
final class DiscriminatorWork extends FederatedWork {
    private static final long serialVersionUID = 1L;
    private static final String DISCRIMINATOR = "discriminator";
    private static final String MOMENT = "moment";

    private final GenerativeModel model;
    private final LocalTraining local;
    private final Swapping swapping;
    private final int devices;
    private final long seed;
    private transient volatile Swapping.Places places;

    /**
     * Creates the work of devices.
     *
     * @param steps L + 1 for each device: the last batch is for the generator
     * @param weights the devices' weights
     * @param local the discriminator's training
     * @param seed seed of the permutations
     */
    DiscriminatorWork(
            GenerativeModel model,
            int[] steps,
            double[] weights,
            LocalTraining local,
            Swapping swapping,
            long seed) {
        super(steps, weights, 1);
        this.model = model;
        this.local = local;
        this.swapping = swapping;
        this.devices = steps.length;
        this.seed = seed;
    }

    @Override
    Privacy privacy() {
        return Privacy.NONE;
    }

    /** Returns the number of the generator's floats, because only the generator is sent. */
    @Override
    int floats(Training run, long round) {
        NetworkRange generator = model.generator();
        return generator.trained() + generator.buffers();
    }

    /**
     * Derives the round from the number of a device's draws, because all devices draw the same
     * number in each round.
     */
    @Override
    public Draw draw(int participant, long consumed, int size) {
        long swaps = consumed / ((long) size * steps()) / swapping.every();
        Swapping.Places now = places;
        if (now == null || now.swaps() > swaps) {
            now = Swapping.Places.first(devices);
        }
        if (now.swaps() < swaps) {
            now = now.after(swaps, seed);
        }
        places = now;
        int device = now.devices()[participant];
        return new Draw(device, consumed, device);
    }

    @Override
    public Result work(
            Work.Task task, Map<String, float[]> kept, int trainable, Gradients gradients) {
        float[] start = task.parameters();
        NetworkRange own = model.discriminator();
        float[] w = start.clone();
        put(own, kept.get(DISCRIMINATOR), w);
        float[][] moments = new float[local.optimizer().moments()][start.length];
        for (int i = 0; i < moments.length; i++) {
            put(own, kept.get(MOMENT + i), moments[i]);
        }
        int count = steps(task.worker()) - 1;
        long done = task.consumed() / task.settings().batchSize() / (count + 1) * count;
        float rate = (float) local.rate().at(task.round());
        for (int step = 0; step < count; step++) {
            float[] direction = gradients.at(w, step).values();
            Position next = Position.zeros(start.length, moments.length);
            Position now = new Position(w, moments);
            local.optimizer().step(now, direction, trainable, done + step, rate, next);
            System.arraycopy(direction, trainable, next.x(), trainable, start.length - trainable);
            // A learner recognizes a vector by its array, so the next vector needs another array.
            w = w.clone();
            put(own, own.of(next.x()), w);
            moments = next.moments();
        }
        Gradient gradient = gradients.at(w, count);
        float[] values = start.clone();
        Arrays.fill(values, 0, trainable, 0);
        put(model.generator(), model.generator().of(gradient.values()), values);
        Map<String, float[]> keeps = new HashMap<>();
        keeps.put(DISCRIMINATOR, own.of(w));
        for (int i = 0; i < moments.length; i++) {
            keeps.put(MOMENT + i, own.of(moments[i]));
        }
        return new Result(values, weight(task.worker()), gradient.loss(), keeps);
    }

    private static void put(NetworkRange range, float[] network, float[] vector) {
        if (network != null) {
            range.put(network, vector);
        }
    }
}
