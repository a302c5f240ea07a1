"""What the threads of Java processes take of a core, by their kind: thread_times.py SECONDS PID... (Linux)."""

import collections
import os
import re
import sys
import time

KINDS = [
    ("passes", r"stages of"),
    ("compiler", r"C[12] Compiler"),
    ("garbage collector", r"GC Thread|G1 |VM Thread|VM Periodic"),
    ("network", r"Flink Netty"),
    ("messages", r"Workers|Source|Parameter|Round|Evaluation|Recorder"),
]
TICKS = os.sysconf("SC_CLK_TCK")


def taken(pid):
    """Seconds of each thread, with its kind. The system keeps the first 15 characters of a name."""
    threads = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue  # it has ended
        name, fields = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        kind = next((kind for kind, begin in KINDS if re.match(begin, name)), "other")
        threads[thread] = kind, (int(fields[11]) + int(fields[12])) / TICKS
    return threads


def main(seconds, *pids):
    before = {pid: taken(pid) for pid in pids}
    time.sleep(float(seconds))
    for pid in pids:
        kinds = collections.Counter()
        for thread, (kind, now) in taken(pid).items():
            kinds[kind] += (now - before[pid].get(thread, (kind, 0.0))[1]) / float(seconds)
        shares = ", ".join(f"{kind} {share:.3f}" for kind, share in kinds.most_common())
        print(f"process {pid} takes {sum(kinds.values()):.3f} of a core: {shares}")


if __name__ == "__main__":
    main(*sys.argv[1:])
