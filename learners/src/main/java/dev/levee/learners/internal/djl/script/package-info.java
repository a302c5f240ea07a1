/**
 * A user's own modules from TorchScript files. Read {@link
 * dev.levee.learners.internal.djl.script.TorchScriptModel} first. Only functions that {@link
 * dev.levee.learners.internal.djl.PyTorch#loaded} runs may use PyTorch's classes.
 */
package dev.levee.learners.internal.djl.script;
