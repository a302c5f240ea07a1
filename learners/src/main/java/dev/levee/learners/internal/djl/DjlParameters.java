package dev.levee.learners.internal.djl;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.training.initializer.Initializer;

import dev.levee.learners.Segment;
import dev.levee.learners.internal.djl.natives.Natives;
import dev.levee.learners.internal.network.Network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes parameters in DJL's own {@code .params} format. */
final class DjlParameters {
    private DjlParameters() {}

    /** Writes {@code NAME-0000.params} into a folder. Empty if DJL has no block for a layer. */
    static Optional<Path> write(Network network, float[] parameters, Path folder) {
        // For a list of layers, the file's name is the list's first word.
        String name = network.name().replaceFirst(":.*", "");
        try (PtNDManager manager = Natives.newManager();
                Model model = Model.newInstance(name, Device.cpu(), "PyTorch")) {
            model.setBlock(block(network, parameters, manager));
            model.save(folder, name);
            return Optional.of(folder.resolve(name + "-0000.params"));
        } catch (UnsupportedOperationException e) {
            return Optional.empty(); // an extra file must not fail a run that has trained
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write DJL parameters to " + folder, e);
        }
    }

    /** A network's tree of blocks with these parameters. {@code manager} owns their memory. */
    static SequentialBlock block(Network network, float[] parameters, PtNDManager manager) {
        SequentialBlock block = BlockTree.of(network.layers());
        long[] shape = Arrays.stream(network.shape()).asLongStream().toArray();
        // All values are set below, so DJL need not draw initial values, which takes time.
        block.setInitializer(Initializer.ZEROS, parameter -> true);
        block.initialize(manager, DataType.FLOAT32, new Shape(1).addAll(new Shape(shape)));
        Map<String, Segment> segments = new HashMap<>();
        network.layout().segments().forEach(segment -> segments.put(segment.name(), segment));
        // The tree lists parameters in the same order as the layers, layer by layer.
        List<dev.levee.learners.internal.network.Parameter> named =
                network.layers().stream().flatMap(layer -> layer.parameters().stream()).toList();
        List<Parameter> places = block.getParameters().values();
        if (places.size() != named.size()) {
            throw new IllegalStateException(
                    "the tree has " + places.size() + " tensors, the network " + named.size());
        }
        for (int i = 0; i < named.size(); i++) {
            Segment segment = segments.get(named.get(i).name());
            int end = segment.offset() + segment.length();
            places.get(i).getArray().set(Arrays.copyOfRange(parameters, segment.offset(), end));
        }
        return block;
    }
}
