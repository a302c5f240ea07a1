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
 * takes L steps against the server's generator, and what it then makes of the generator's images is
 * sent as the gradient of the generator, which is the mean that the server would make of all
 * devices' errors by the chain rule. The generator is the server's; its part of the vector comes
 * and goes. The discriminator's part stays with the participant, which is the discriminator: when
 * discriminators change places, it computes on another device's data.
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
     * The work of devices.
     *
     * @param steps L + 1 of each device: the last batch is the generator's
     * @param weights how much what each sends counts
     * @param local the discriminator's steps
     * @param seed of the permutations
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

    /** The generator alone. */
    @Override
    int floats(Training run, long round) {
        NetworkRange generator = model.generator();
        return generator.trained() + generator.buffers();
    }

    /** All devices draw equally much in each round, so a device's draws tell the round. */
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
            // A learner knows a vector by its array, so the next one is another.
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
