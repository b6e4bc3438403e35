"""Processor time of a program, all its threads, in percent of a core: cost.py SECONDS COMMAND...

The first five seconds do not count. The program is interrupted at the end.
"""

import glob
import signal
import subprocess
import sys
import time


def nanoseconds(process):
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


seconds = float(sys.argv[1])
program = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    time.sleep(5)
    before, begin = nanoseconds(program.pid), time.monotonic()
    time.sleep(seconds)
    after, end = nanoseconds(program.pid), time.monotonic()
    if program.poll() is not None:
        sys.exit(f"cost: {sys.argv[2]} ended early with {program.returncode}")
    print(f"{(after - before) / (end - begin) / 1e7:.2f}")
finally:
    program.send_signal(signal.SIGINT)
    program.wait(timeout=10)
