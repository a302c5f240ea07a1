// Writes the files beside it with DuckDB and with Apache Arrow's writer in Rust:
// npm install --no-save @duckdb/node-api apache-arrow parquet-wasm && node make.mjs
import {DuckDBInstance} from "@duckdb/node-api";
import {Bool, Dictionary, Float32, Int32, Utf8, tableFromIPC, tableToIPC, Table, vectorFromArray} from "apache-arrow";
import {Compression, Table as WasmTable, WriterPropertiesBuilder, WriterVersion, writeParquet} from "parquet-wasm/node";
import {writeFileSync} from "node:fs";

const duck = await (await DuckDBInstance.create(":memory:")).connect();
await duck.run(`CREATE TABLE people AS SELECT * FROM (VALUES
    (1, 31::DOUBLE, 1.25::DECIMAL(9, 2), true, 'Ulm', [1, 2, 3]::FLOAT[], 200::UTINYINT, 'cat'),
    (2, 62.5, -7.5, false, 'Köln', [4, 5, 6], 0, 'dog'),
    (3, NULL, 0, true, 'Ulm', [7, 8, 9], 255, 'cat'),
    (4, -0.01, 99999.99, false, 'Aix, les Bains', [10, 11, 12], 7, 'horse'),
    (5, 40, 3, true, 'Köln', [13, 14, 15], 8, 'dog')) AS t(id, age, paid, member, city, vector, small, species)`);
for (const codec of ["uncompressed", "snappy", "zstd", "gzip", "lz4_raw"])
    await duck.run(`COPY people TO 'people-${codec}.parquet' (FORMAT parquet, CODEC '${codec}')`);
await duck.run("COPY people TO 'people-v2.parquet' (FORMAT parquet, PARQUET_VERSION v2, CODEC 'zstd')");
await duck.run("COPY (SELECT id, vector[:1 + id % 2] AS vector, species FROM people) TO 'ragged.parquet' (FORMAT parquet)");
await duck.run("CREATE TABLE lists AS SELECT CASE WHEN id > 2 THEN vector END AS vector, species FROM people");
for (const [name, rows] of [["some", "true"], ["null", "vector IS NULL"], ["none", "false"]])
    await duck.run(`COPY (FROM lists WHERE ${rows}) TO 'lists-${name}.parquet' (FORMAT parquet)`);
await duck.run("COPY (SELECT now()::TIMESTAMP AS at, [[1]] AS nested, {'a': 1, 'b': 2} AS pair, id FROM people) TO 'types.parquet' (FORMAT parquet)");
await duck.run("COPY (SELECT i::INTEGER AS x, (i * i)::BIGINT AS y, i % 10 AS label FROM range(5000) t(i)) TO 'groups.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
await duck.run(`COPY (SELECT * FROM (VALUES
    (9007199254740992, 9007199254740993::DECIMAL(38, 0), 18446744073709551615::UBIGINT, 1, 'a'),
    (9007199254740993, 9007199254740994, 18446744073709551614, 2, 'b')) AS t(id, wide, unsigned, x, label))
    TO 'ids.parquet' (FORMAT parquet)`);

const arrow = new Table({
    x: vectorFromArray([0.5, -1, 2, null], new Float32()),
    on: vectorFromArray([true, false, true, true], new Bool()),
    count: vectorFromArray([1, 2, 3, -4], new Int32()),
    label: vectorFromArray(["no", "yes", "no", "yes"], new Dictionary(new Utf8(), new Int32())),
});
for (const version of ["V1", "V2"]) {
    const properties = new WriterPropertiesBuilder()
        .setCompression(Compression.ZSTD).setWriterVersion(WriterVersion[version]).build();
    const table = WasmTable.fromIPCStream(tableToIPC(arrow, "stream"));
    writeFileSync(`arrow-${version.toLowerCase()}.parquet`, writeParquet(table, properties));
}
