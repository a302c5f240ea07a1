package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.GpuSummary;

import java.util.ArrayList;
import java.util.List;

/** Memory of GPUs that interpreters of Python computed on. */
final class GpuSection {
    private GpuSection() {}

    /** The section as HTML, empty of a run without GPUs. */
    static String of(RunView run) {
        if (run.summary().gpus().isEmpty()) {
            return "";
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                List.of(
                        "GPU",
                        "Interpreters",
                        "Tensors, GiB",
                        "Kept by PyTorch, GiB",
                        "Of the GPU, GiB"));
        for (GpuSummary gpu : run.summary().gpus()) {
            lines.add(
                    List.of(
                            "%s of %s, %s".formatted(gpu.device(), gpu.host(), gpu.name()),
                            String.valueOf(gpu.interpreters().size()),
                            gibibytes(gpu.allocatedBytes()),
                            gibibytes(gpu.reservedBytes()),
                            gibibytes(gpu.totalBytes())));
        }
        return "<section><h2>Memory of GPUs, %s</h2>%s<p class=\"note\">%s</p></section>\n"
                .formatted(
                        Html.escape(run.rule()),
                        Html.wholeTable(lines),
                        "Sums of the interpreters' peaks, without CUDA contexts.");
    }

    private static String gibibytes(long bytes) {
        return Numbers.decimals((double) bytes / (1L << 30), 2);
    }
}
