package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.internal.table.NumberTableBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class NumberTableTest {
    @TempDir Path directory;

    private String csv(String text) throws IOException {
        return "csv:" + Files.writeString(directory.resolve("table.csv"), text);
    }

    @Test
    void columnsAreReadToTheLastDigit() throws IOException {
        NumberTable table =
                Datasets.table(
                        csv("y,state,d\n0.1234567890123456,Ohio,true\n,Utah,0\n2e-3,Ohio,1\n"));
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.names()).containsExactly("y", "state", "d");
        assertThat(table.column("y").orElseThrow().values())
                .containsExactly(0.1234567890123456, Double.NaN, 0.002);
        assertThat(table.column("state").orElseThrow().values()).containsExactly(0, 1, 0);
        assertThat(table.column("state").orElseThrow().text()).isEqualTo("Ohio");
        assertThat(table.column("d").orElseThrow().values()).containsExactly(1, 0, 1);
        assertThat(table.column("e")).isEmpty();
    }

    @Test
    void aTextAfterNumbersMakesThemTextsToo() throws IOException {
        NumberTable.Column column =
                Datasets.table(csv("a,b\n7,0\n8,0\nx,0\n7,0\n")).columns().get(0);
        assertThat(column.values()).containsExactly(0, 1, 2, 0);
        assertThat(column.text()).isEqualTo("x");
    }

    @Test
    void manyRowsAndNoHeader() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append(i).append(';').append(-i).append('\n');
        }
        NumberTable table = Datasets.table(csv(text.toString()) + "?separator=;");
        assertThat(table.size()).isEqualTo(3000);
        assertThat(table.column("2").orElseThrow().values()[2999]).isEqualTo(-2999);
    }

    @Test
    void manyColumnsAreCheckedAgainstMemoryAndFewRowsOfThemTakeLittle() {
        int width = 60_000;
        List<String> names = IntStream.range(0, width).mapToObj(Integer::toString).toList();
        List<Long> needed = new ArrayList<>();
        int first = new NumberTableBuilder("wide", names, needed::add).grow(3);

        assertThat(first).isZero();
        assertThat(needed)
                .singleElement()
                .satisfies(bytes -> assertThat(bytes).isBetween(24L * width, 240L * width));
    }

    private static NumberTable parquet(String file) {
        return Datasets.table(
                "parquet:" + Path.of("src/test/resources/parquet", file).toAbsolutePath());
    }

    @Test
    void aParquetFileIsATableWithItsTextsAsCodes() {
        NumberTable people = parquet("people-snappy.parquet");
        assertThat(people.names())
                .containsExactly(
                        "id", "age", "paid", "member", "city", "vector", "small", "species");
        assertThat(people.column("age").orElseThrow().values())
                .containsExactly(31, 62.5, Double.NaN, -0.01, 40);
        assertThat(people.column("paid").orElseThrow().values())
                .containsExactly(1.25, -7.5, 0, 99999.99, 3);
        assertThat(people.column("member").orElseThrow().values()).containsExactly(1, 0, 1, 0, 1);
        assertThat(people.column("city").orElseThrow().values()).containsExactly(0, 1, 0, 2, 1);
        assertThat(people.column("city").orElseThrow().text()).isEqualTo("Ulm");
    }

    @Test
    void columnsOfParquetThatAreNoNumbersSayWhatTheyAre() {
        NumberTable types = parquet("types.parquet");
        assertThat(types.column("at").orElseThrow().text())
                .isEqualTo("int64 at (TIMESTAMP(MICROS,false))");
        assertThat(types.column("pair.b").orElseThrow().values()).containsOnly(2);
        assertThat(types.column("nested").orElseThrow().values()).containsOnly(Double.NaN);
    }

    @Test
    void rowGroupsOfParquetFollowEachOther() {
        double[] y = parquet("groups.parquet").column("y").orElseThrow().values();
        assertThat(y).hasSize(5000);
        assertThat(y[4999]).isEqualTo(4999.0 * 4999);
    }

    @Test
    void whatIsNoTableIsRefused() throws IOException {
        String uri = csv("a,b\n1\n");
        assertThatThrownBy(() -> Datasets.table(uri))
                .hasMessageEndingWith("table.csv line 2 has 1 fields, but there are 2 columns");
        String twice = csv("a,a\n1,2\n");
        assertThatThrownBy(() -> Datasets.table(twice))
                .hasMessageEndingWith("has two columns with the name a");
        String none = csv("a,b\n");
        assertThatThrownBy(() -> Datasets.table(none)).hasMessageEndingWith("has no rows");
        assertThatThrownBy(() -> Datasets.table("idx:" + directory))
                .hasMessage("idx:" + directory + " is not a table: csv:FILE, parquet:PATH are");
        assertThatThrownBy(() -> Datasets.table("csv:" + directory.resolve("other.csv")))
                .hasMessageContaining("does not exist");
    }
}
