package dev.levee.jobs.internal.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.learners.Loss;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What docs/reference/tasks.md says: its losses are those that there are, and its first example
 * runs.
 */
class TasksPageTest {
    private static final Pattern COMMANDS =
            Pattern.compile("```\\n(\\./levee .*?)```", Pattern.DOTALL);

    @TempDir Path folder;

    private static String page() throws IOException {
        return Files.readString(LeveeHome.find().directory().resolve("docs/reference/tasks.md"));
    }

    @Test
    void theTableHasTheLossesThatThereAre() throws IOException {
        for (String name : Loss.FORMS.split(", | and ")) {
            assertThat(page()).contains("`" + name + "`");
        }
    }

    @Test
    @Tag("cluster")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aPriceIsLearnt() throws IOException {
        Random random = new Random(1);
        StringBuilder csv = new StringBuilder("size,age,price\n");
        for (int i = 0; i < 400; i++) {
            double size = random.nextGaussian();
            double age = random.nextGaussian();
            csv.append(size).append(',').append(age).append(',');
            csv.append(2 * size - age + 0.1 * random.nextGaussian()).append('\n');
        }
        Files.writeString(folder.resolve("houses.csv"), csv);
        List<String> commands = commands();
        CommandLineRun trained =
                run(commands.get(0), "--rounds=100", "--eval-interval=100", "--web-port=0");
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(trained.out()).contains("final RMSE");
        CommandLineRun evaluated = run(commands.get(2));
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(evaluated.out())
                .containsPattern("RMSE 0\\.[0-4]\\d+, MAE .*, R² 0\\.9\\d+, loss");
    }

    private static List<String> commands() throws IOException {
        Matcher first = COMMANDS.matcher(page());
        assertThat(first.find()).isTrue();
        return first.group(1).replace("\\\n", " ").lines().toList();
    }

    private CommandLineRun run(String command, String... more) {
        List<String> words = new ArrayList<>();
        for (String word : command.replace("\"", "").strip().split("\\s+")) {
            words.add(
                    word.replace("csv:", "csv:" + folder + "/")
                            .replaceFirst("^prices$", folder + "/prices"));
        }
        words.addAll(Arrays.asList(more));
        return CommandLineRun.of(words.subList(1, words.size()).toArray(String[]::new));
    }
}
