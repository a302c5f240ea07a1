package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The score columns in a table of runs. Each score of any run has a column with the final value.
 * Each score by which models are compared also has a column with the best value.
 */
public final class ScoreColumns {
    private final Set<Score> all = EnumSet.noneOf(Score.class);
    private final Set<Score> compared = EnumSet.noneOf(Score.class);

    private ScoreColumns() {}

    /** Creates the columns for some runs. */
    public static ScoreColumns of(Collection<RunView> runs) {
        ScoreColumns columns = new ScoreColumns();
        for (RunView run : runs) {
            List<Score> scores = run.summary().told();
            columns.all.addAll(scores);
            columns.compared.add(scores.get(0));
        }
        return columns;
    }

    /** The scores, in the order of their declaration. */
    List<Score> scores() {
        return List.copyOf(all);
    }

    /** The headings: {@code final accuracy}, {@code best accuracy}. */
    public List<String> headings() {
        return columns(score -> "final " + score.label(), score -> "best " + score.label());
    }

    /** The headings with a capital letter, for the first row of a table. */
    public List<String> capitals() {
        return headings().stream().map(ScoreColumns::capital).toList();
    }

    /** Capitalizes the first letter. */
    static String capital(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** The cells of a run; a dash for a missing score. */
    public List<String> cells(Summary summary) {
        return columns(
                score -> Numbers.score(score, summary.finalScore(score)),
                score -> Numbers.score(score, summary.bestScore(score)));
    }

    private interface Cell {
        String of(Score score);
    }

    private List<String> columns(Cell last, Cell best) {
        List<String> cells = new ArrayList<>();
        for (Score score : all) {
            Stream.of(last, best)
                    .filter(cell -> cell == last || compared.contains(score))
                    .forEach(cell -> cells.add(cell.of(score)));
        }
        return cells;
    }
}
