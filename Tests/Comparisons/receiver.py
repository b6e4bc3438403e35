"""Scores receivers behind bad networks with PESQ; see receiver beside it."""

import glob
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile

import numpy
from pesq import pesq
from scipy.signal import resample_poly

RATE = 48_000
ITEMS = 8
STREAMS = ["libopus, nothing late", "20 ms", "20±15 ms", "50±20 ms"]
# Loss in per cent, and how far below the reference a mean may lie.
ALLOWED = {5: 0.10, 10: 0.10, 20: 0.15}
JITTER_COSTS = 0.10


def prompt(path):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "g722", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, "<f4")


def items():
    """Prompts joined to items of 8 to 12 seconds, each as many packets of 20 ms long."""
    paths = sorted(path for path in glob.glob("/usr/share/asterisk/sounds/en*/*.g722") if os.path.getsize(path) > 14_000)
    random.Random(1).shuffle(paths)
    result, parts, length = [], [], 0
    for path in paths:
        sound = prompt(path)
        if length + len(sound) > 12 * RATE:
            continue
        parts += [sound, numpy.zeros(RATE // 5, "<f4")]
        length += len(sound) + RATE // 5
        if length >= 8.5 * RATE:
            item = numpy.concatenate(parts)
            item = item[:len(item) // 960 * 960]
            result.append(item / numpy.abs(item).max() / 2)
            parts, length = [], 0
        if len(result) == ITEMS:
            return result
    sys.exit("receiver: there are too few prompts")


def score(job):
    key, reference, degraded = job
    return key, pesq(16_000, reference, degraded, "wb")


def main():
    program, seeds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    speech = items()
    bounds = numpy.cumsum([0] + [len(item) for item in speech])
    originals = [resample_poly(item, 1, 3).astype("f4") for item in speech]
    marks, delays, concealed = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool() as pool:
        path = os.path.join(folder, "speech.f32")
        numpy.concatenate(speech).astype("<f4").tofile(path)

        def jobs():
            for loss in ALLOWED:
                for seed in range(1, seeds + 1):
                    done = subprocess.run([program, path, str(loss), str(seed)], check=True, capture_output=True)
                    streams = numpy.frombuffer(done.stdout, "<i2").reshape(len(STREAMS), bounds[-1])
                    for line in done.stderr.decode().splitlines():
                        name, delay, share, _ = line.split("\t")
                        delays.setdefault((loss, name), []).append(float(delay))
                        concealed.setdefault((loss, name), []).append(float(share))
                    for name, stream in zip(STREAMS, streams):
                        for item in range(ITEMS):
                            piece = stream[bounds[item]:bounds[item + 1]] / 32_768
                            yield (loss, name), originals[item], resample_poly(piece, 1, 3).astype("f4")

        for key, mark in pool.imap(score, jobs(), chunksize=4):
            marks.setdefault(key, []).append(mark)
    print(f"{bounds[-1] / RATE:.0f} s of speech in {ITEMS} items, {seeds} seeds; mean PESQ (delay in ms, concealed in %)")
    print(f"{'loss':>6}  " + "".join(f"{name:>24}" for name in STREAMS))
    failed = False
    for loss, allowed in ALLOWED.items():
        means = {name: numpy.mean(marks[loss, name]) for name in STREAMS}
        row = f"{loss:>4} %  {means[STREAMS[0]]:>24.3f}"
        for name in STREAMS[1:]:
            row += f"{means[name]:>9.3f} ({numpy.mean(delays[loss, name]):5.1f}, {numpy.mean(concealed[loss, name]):4.2f})"
        print(row)
        failed |= means["20 ms"] < means[STREAMS[0]] - allowed
        failed |= any(means[name] < means["20 ms"] - JITTER_COSTS for name in STREAMS[2:])
    if failed:
        print("WORSE than it may be")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
