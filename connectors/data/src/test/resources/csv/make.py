"""Writes the files beside it with Python's csv module: `python3 make.py` in this folder."""

import csv
import gzip

ROWS = [
    ["name", "age", "city", "member", "species"],
    ["Ann", 31, "Ulm", True, "cat"],
    ["Bob, the elder", 62.5, "Köln", False, "dog"],
    ['called "Cy"', "", "Ulm", True, "cat"],
    ["Dee\non two lines", -1e-2, "Aix, les Bains", False, "horse"],
    ["Eve", 40, "Köln", True, "dog"],
]

with open("people.csv", "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows(ROWS)

with open("quoted.csv", "w", newline="\n", encoding="utf-8-sig") as file:
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(ROWS)

with open("people.tsv", "w", newline="", encoding="utf-8") as file:
    csv.writer(file, dialect="excel-tab").writerows(ROWS)

with gzip.GzipFile("semicolons.csv.gz", "wb", mtime=0) as packed:
    packed.write("\r\n".join(";".join(map(str, row)) for row in [[0, 1.5, 7], [1, -2, 8], [10, 0, 9]]).encode())

with open("latin.csv", "w", newline="", encoding="latin-1") as file:
    csv.writer(file).writerows([["x", "label"], [1, "Köln"], [2, "Ulm"]])
