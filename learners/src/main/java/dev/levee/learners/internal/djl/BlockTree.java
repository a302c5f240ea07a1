package dev.levee.learners.internal.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.norm.Dropout;
import ai.djl.nn.pooling.Pool;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

import dev.levee.learners.internal.network.Activation;
import dev.levee.learners.internal.network.Concatenation;
import dev.levee.learners.internal.network.Convolution;
import dev.levee.learners.internal.network.Dense;
import dev.levee.learners.internal.network.Layer;
import dev.levee.learners.internal.network.Normalisation;
import dev.levee.learners.internal.network.Pooling;
import dev.levee.learners.internal.network.Residual;

import java.util.List;

/**
 * Builds a network as a tree of DJL's own blocks: a {@link SequentialBlock} with one child per
 * layer, and a {@link ParallelBlock} for each residual layer. It serves files for DJL programs;
 * training does not use it.
 */
final class BlockTree {
    private BlockTree() {}

    /**
     * The tree of a network.
     *
     * @throws UnsupportedOperationException if DJL has no block for a layer
     */
    static SequentialBlock of(List<Layer> layers) {
        SequentialBlock block = new SequentialBlock();
        layers.forEach(layer -> block.add(of(layer)));
        return block;
    }

    private static Block of(Layer layer) {
        if (layer instanceof Dense dense) {
            return Linear.builder().setUnits(dense.outputs()).build();
        }
        if (layer instanceof Convolution convolution) {
            return Conv2d.builder()
                    .setFilters(convolution.outputs())
                    .setKernelShape(square(convolution.kernel()))
                    .optStride(square(convolution.stride()))
                    .optPadding(square(convolution.padding()))
                    .optBias(convolution.bias() != null)
                    .build();
        }
        if (layer instanceof Residual residual) {
            return new ParallelBlock(BlockTree::sum)
                    .add(of(residual.body()))
                    .add(
                            residual.shortcut().isEmpty()
                                    ? Blocks.identityBlock()
                                    : of(residual.shortcut()));
        }
        if (layer instanceof Concatenation concatenation) {
            SequentialBlock steps = new SequentialBlock();
            for (List<Layer> step : concatenation.steps()) {
                steps.add(
                        new ParallelBlock(BlockTree::concatenated)
                                .add(Blocks.identityBlock())
                                .add(of(step)));
            }
            return steps;
        }
        if (layer instanceof Pooling.Average average) {
            return Pool.avgPool2dBlock(square(average.kernel()), square(average.stride()));
        }
        if (layer instanceof Pooling.AverageGrid grid) {
            return LambdaBlock.singleton(array -> grid(array, grid.extent()), grid.name());
        }
        if (layer instanceof Pooling.Max max) {
            return Pool.maxPool2dBlock(
                    square(max.kernel()), square(max.stride()), square(max.padding()));
        }
        if (layer instanceof Pooling.GlobalAverage) {
            return Pool.globalAvgPool2dBlock();
        }
        if (layer instanceof Normalisation.Batch batch) {
            return BatchNorm.builder()
                    .optEpsilon((float) batch.epsilon())
                    .optMomentum((float) (1 - Normalisation.Batch.MOMENTUM))
                    .build();
        }
        if (layer instanceof Normalisation.LocalResponse response) {
            return LambdaBlock.singleton(array -> localResponse(array, response), response.name());
        }
        if (layer instanceof Activation.Dropout dropout) {
            return Dropout.builder().optRate((float) (1 - dropout.keep())).build();
        }
        if (layer instanceof Activation.Flatten) {
            return Blocks.batchFlattenBlock();
        }
        if (layer instanceof Activation.Relu) {
            return ai.djl.nn.Activation.reluBlock();
        }
        if (layer instanceof Activation.LeakyRelu relu) {
            return ai.djl.nn.Activation.leakyReluBlock((float) relu.slope());
        }
        if (layer instanceof Activation.Tanh) {
            return ai.djl.nn.Activation.tanhBlock();
        }
        throw new UnsupportedOperationException(layer.name() + " has no form as a block of DJL");
    }

    private static NDList sum(List<NDList> branches) {
        NDArray sum = branches.get(0).singletonOrThrow().add(branches.get(1).singletonOrThrow());
        return new NDList(ai.djl.nn.Activation.relu(sum));
    }

    private static NDList concatenated(List<NDList> branches) {
        NDArray before = branches.get(0).singletonOrThrow();
        return new NDList(before.concat(branches.get(1).singletonOrThrow(), 1));
    }

    /** Pools over a grid of windows. The engine-neutral interface lacks this operation. */
    private static NDArray grid(NDArray array, int extent) {
        return JniUtils.adaptiveAvgPool((PtNDArray) array, square(extent));
    }

    /** Applies local response normalization as the layer defines it. */
    private static NDArray localResponse(NDArray array, Normalisation.LocalResponse layer) {
        int channels = layer.channels();
        NDList scales = new NDList(channels);
        for (int c = 0; c < channels; c++) {
            long from = Math.max(0, c - layer.radius());
            long to = Math.min(channels, c + layer.radius() + 1);
            NDArray window = array.get(":, " + from + ":" + to).square();
            scales.add(window.sum(new int[] {1}, true).mul(layer.alpha()).add(layer.bias()));
        }
        return array.div(NDArrays.concat(scales, 1).pow(0.75));
    }

    private static Shape square(int extent) {
        return new Shape(extent, extent);
    }
}
