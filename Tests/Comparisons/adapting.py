"""Scores senders that adapt beside senders that do not; see adapting beside it."""

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

import numpy
from pesq import pesq
from receiver import RATE, items
from scipy.io import wavfile
from scipy.signal import resample_poly

ADAPTS, FIXED, SPARING = "", "opus:fec", "opus:fec:bitrate=24000"
LOSSES = [2, 5, 10, 20, 30]
# In kbit/s; a queue holds 200 ms where none is named.
BANDWIDTHS = [20, 22, 25, 27, 30, 35, 40, 45, 50, 60, 100, "27:queue=50", "30:queue=90", "33:queue=60", "40:queue=60"]
# Seconds after which the way is known, and that a call on a narrow way lasts.
KNOWN, NARROW_CALL = 20, 180
# Of PESQ, percent concealed, and milliseconds.
ALLOWED, ALLOWED_CONCEALED, ALLOWED_DELAY = 0.05, 0.2, 20
# Samples by which a packet is heard after it was said, at most.
LATEST = RATE // 2


def simulate(program, users, codec, *options):
    arguments = [program, "simulate", "--json", "--quiet", *options]
    for number, path in enumerate(users, 1):
        arguments += ["--user", f"{number}={path}"]
    if codec:
        arguments += ["--codec", codec]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)


def scores(original, heard, bounds):
    """PESQ of each item that begins once the way is known, moved to where it is heard."""
    for begin, end in zip(bounds, bounds[1:]):
        if begin < KNOWN * RATE:
            continue
        item, window = (resample_poly(sound, 1, 3) for sound in (original[begin:end], heard[begin:end + LATEST]))
        size = 1 << (len(window) + len(item)).bit_length()
        spectrum = numpy.fft.rfft(window, size) * numpy.conj(numpy.fft.rfft(item, size))
        lag = int(numpy.argmax(numpy.fft.irfft(spectrum, size)[:LATEST // 3]))
        there = numpy.zeros(len(item))
        shifted = window[lag:lag + len(item)]
        there[:len(shifted)] = shifted
        yield pesq(16_000, item, there, "wb")


def by_chance(job):
    program, users, bounds, loss, codec, seed = job
    with tempfile.TemporaryDirectory() as folder:
        simulate(
            program, users, codec, "--loss", f"{loss}%", "--delay", "50ms", "--jitter", "20ms", "--seed", str(seed),
            "--each-out", folder)
        result = []
        for speaker, listener in ((1, 2), (2, 1)):
            original = wavfile.read(users[speaker - 1])[1]
            heard = wavfile.read(f"{folder}/{listener}_from_{speaker}.wav")[1]
            result += scores(original / 32_768, heard / 32_768, bounds[speaker - 1])
    return loss, codec, result


def narrow(job):
    program, users, bandwidth, codec = job
    report = simulate(program, users, codec, "--bandwidth", str(bandwidth), "--duration", str(NARROW_CALL))
    rows = []
    for user in report["users"].values():
        for heard in user["heard"].values():
            first = [second for second in heard["seconds"] if second["time_s"] < 60]
            late = [second for second in heard["seconds"] if second["time_s"] >= KNOWN]
            rows.append([
                numpy.mean([second["concealed_ms"] for second in late]) / 10,
                numpy.mean([second["concealed_ms"] for second in first]) / 10,
                100 * sum(second["lost"] for second in late) / sum(second["sent"] for second in late),
                numpy.mean([second["delay_ms"] for second in late if second["delay_ms"] is not None])])
    return bandwidth, codec, numpy.mean(rows, 0)


def main():
    program, seeds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    speech = items()
    failed = []
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool() as pool:
        users, bounds = [], []
        for number in range(4):
            turned = speech[2 * number:] + speech[:2 * number]
            bounds.append(numpy.cumsum([0] + [len(item) for item in turned]))
            users.append(f"{folder}/{number}.wav")
            wavfile.write(users[-1], RATE, (32_767 * numpy.concatenate(turned)).astype("i2"))
        jobs = [
            (program, users[:2], bounds, loss, codec, seed)
            for loss in LOSSES for codec in (ADAPTS, FIXED, SPARING) for seed in range(1, seeds + 1)]
        table = {}
        for loss, codec, found in pool.imap(by_chance, jobs):
            table.setdefault((loss, codec), []).extend(found)
        print("lost   adapts   32 kbit/s   24 kbit/s")
        for loss in LOSSES:
            adapts, fixed, sparing = (numpy.mean(table[loss, codec]) for codec in (ADAPTS, FIXED, SPARING))
            print(f"{loss:3} %  {adapts:6.3f}   {fixed:9.3f}   {sparing:9.3f}")
            if adapts < fixed - ALLOWED:
                failed.append(f"{loss} % lost")
        pairs = [(0, 2), (1, 3), (2, 1), (3, 0)]
        long_users = []
        for path in users:
            sound = wavfile.read(path)[1]
            long_users.append(path.replace(".wav", "_long.wav"))
            wavfile.write(long_users[-1], RATE, numpy.resize(sound, NARROW_CALL * RATE))
        jobs = [
            (program, [long_users[first], long_users[second]], bandwidth, codec)
            for bandwidth in BANDWIDTHS for codec in (SPARING, ADAPTS) for first, second in pairs]
        table = {}
        for bandwidth, codec, row in pool.imap(narrow, jobs):
            table.setdefault((bandwidth, codec), []).append(row)
        print("\n     kbit/s   24 kbit/s: concealed, first minute, lost, delay   adapts: concealed, first minute, lost, delay")
        for bandwidth in BANDWIDTHS:
            sparing, adapts = (numpy.mean(table[bandwidth, codec], 0) for codec in (SPARING, ADAPTS))
            print(f"{bandwidth:>11}" + "".join(
                f"{row[0]:10.2f} % {row[1]:6.2f} % {row[2]:5.1f} % {row[3]:4.0f} ms" for row in (sparing, adapts)))
            if adapts[0] > sparing[0] + ALLOWED_CONCEALED or adapts[3] > sparing[3] + ALLOWED_DELAY:
                failed.append(f"{bandwidth} kbit/s")
    if failed:
        sys.exit(f"adapting: not as good as it should be at {', '.join(failed)}")


if __name__ == "__main__":
    main()
