/**
 * A user's own modules from TorchScript files. Read {@link
 * dev.levee.learners.internal.djl.script.TorchScriptModel} first. Classes of PyTorch are touched
 * only in functions that {@link dev.levee.learners.internal.djl.PyTorch#loaded} runs.
 */
package dev.levee.learners.internal.djl.script;
