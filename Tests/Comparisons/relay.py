"""Measures calls through a relay with one bad link; see relay beside it."""

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

import numpy
from adapting import scores
from receiver import RATE, items
from scipy.io import wavfile

# Delay and jitter of the link, each way, in milliseconds, and its loss in percent.
LINKS = [(20, 15, 0), (20, 15, 5), (50, 20, 10)]
SPEAKER, LISTENER = 1, 2
# Milliseconds beyond the path, and seconds after which the link is known.
ALLOWED, KNOWN = 65, 5


def call(job):
    program, voice, bounds, bad, link, seed = job
    delay, jitter, loss = link
    script = {"schema": 1, "events": [
        {"time_s": 0, "name": "network", side: bad, "delay_ms": delay, "jitter_ms": jitter, "loss_percent": loss}
        for side in ("from", "to")]}
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/script.json", "w", encoding="utf-8") as file:
            json.dump(script, file)
        wavfile.write(f"{folder}/silence.wav", RATE, numpy.zeros(bounds[-1] + 4 * RATE, "i2"))
        report = json.loads(subprocess.run(
            [program, "simulate", "--relay", "--json", "--quiet", "--seed", str(seed), "--script", f"{folder}/script.json",
             "--each-out", folder, "--user", f"{SPEAKER}={voice}", "--user", f"{LISTENER}={folder}/silence.wav"],
            check=True, capture_output=True).stdout)
        heard = wavfile.read(f"{folder}/{LISTENER}_from_{SPEAKER}.wav")[1] / 32_768
    seconds = [
        second for second in report["users"][str(LISTENER)]["heard"][str(SPEAKER)]["seconds"]
        if second["time_s"] >= KNOWN and second["delay_ms"] is not None]
    quality = list(scores(wavfile.read(voice)[1] / 32_768, heard, bounds))
    return bad, link, (numpy.mean([second["delay_ms"] for second in seconds]) - delay, numpy.mean(quality))


def main():
    program, seeds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    speech = items()
    bounds = numpy.cumsum([0] + [len(item) for item in speech]).tolist()
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool() as pool:
        voice = f"{folder}/voice.wav"
        wavfile.write(voice, RATE, (32_767 * numpy.concatenate(speech)).astype("i2"))
        jobs = [
            (program, voice, bounds, bad, link, seed)
            for bad in (SPEAKER, LISTENER) for link in LINKS for seed in range(1, seeds + 1)]
        table = {}
        for bad, link, found in pool.imap(call, jobs):
            table.setdefault((bad, link), []).append(found)
    failed = []
    print("bad link     delay, jitter, loss   beyond the path   PESQ")
    for (bad, link), found in table.items():
        delay, quality = numpy.mean(found, 0)
        name = "publisher's" if bad == SPEAKER else "listener's"
        row = f"{link[0]}±{link[1]} ms, {link[2]} %"
        print(f"{name:12} {row:21} {delay:12.0f} ms {quality:8.2f}")
        if delay > ALLOWED:
            failed.append(f"the {name} {row}")
    if failed:
        sys.exit(f"relay: too late at {', '.join(failed)}")


if __name__ == "__main__":
    main()
