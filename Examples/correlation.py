"""Says how much of a sound is in another one, however late: correlation.py SOUND HEARD [LEAST]

    python3 Examples/correlation.py prompt.wav recorded.wav 0.8

Each part of 100 ms is looked for in HEARD: the loudest part everywhere, each further part within 20 ms of its place
behind or before the last one, and then within 1 s, for a sound that was interrupted. A part is found if its normalised
correlation is above 0.9. Parts 30 dB below the loudest one are left out. Leaves with 1 if the share of found parts is
below LEAST. sox reads the files.
"""

import array
import itertools
import math
import operator
import subprocess
import sys

RATE = 8_000
PART = RATE // 10
REACHES = (RATE // 50, RATE)
FOUND = 0.9
QUIET = 1e-3


def read(path):
    """The samples of a file as one channel of 8 kHz, of which 200 to 1500 Hz are left: half a sample of delay matters little."""
    raw = subprocess.run(
        ["sox", "-R", path, "-t", "raw", "-c", "1", "-e", "signed-integer", "-b", "16", "-",
         "rate", str(RATE), "sinc", "200-1500"], check=True, stdout=subprocess.PIPE).stdout
    return [float(sample) for sample in array.array("h", raw[: len(raw) // 2 * 2])]


class Finder:
    """Finds parts of a sound in another one."""

    def __init__(self, heard):
        self.heard = heard
        self.powers = [0.0, *itertools.accumulate(sample * sample for sample in heard)]

    def find(self, part, starts):
        """The place with the highest correlation, and the correlation."""
        own, best = sum(map(operator.mul, part, part)), (0, -1.0)
        for start in range(max(0, starts.start), min(starts.stop, len(self.heard) - len(part) + 1)):
            power = self.powers[start + len(part)] - self.powers[start]
            product = sum(map(operator.mul, part, self.heard[start : start + len(part)]))
            correlation = product / math.sqrt(max(1.0, own * power))
            if correlation > best[1]:
                best = (start, correlation)
        return best


def correlations(sound, heard):
    """The correlation of each part of a sound that is not quiet with its place in another sound."""
    parts = [sound[start : start + PART] for start in range(0, len(sound) - PART + 1, PART)]
    powers = [sum(map(operator.mul, part, part)) for part in parts]
    if not parts or len(heard) < PART:
        return []
    finder, loudest = Finder(heard), powers.index(max(powers))
    place, correlation = finder.find(parts[loudest], range(len(heard)))
    found = {loudest: correlation}
    for indices, step in ((range(loudest + 1, len(parts)), PART), (range(loudest - 1, -1, -1), -PART)):
        last = place
        for index in indices:
            last += step
            if powers[index] <= QUIET * powers[loudest]:
                continue
            for reach in REACHES:
                start, correlation = finder.find(parts[index], range(last - reach, last + reach + 1))
                if correlation > FOUND:
                    # A part that is missing says nothing about the place of the next one.
                    last = start
                    break
            found[index] = correlation
    return [found[index] for index in sorted(found)]


def share(path, heard):
    """The share of a file's parts that are in another file, and the number of parts."""
    values = correlations(read(path), read(heard))
    return sum(value > FOUND for value in values) / max(1, len(values)), len(values)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: correlation.py SOUND HEARD [LEAST]")
    found, count = share(sys.argv[1], sys.argv[2])
    print(f"{100 * found:.0f} % of {count} parts of {sys.argv[1].rsplit('/', 1)[-1]} are in "
          f"{sys.argv[2].rsplit('/', 1)[-1]}")
    sys.exit(found < float(sys.argv[3] if len(sys.argv) > 3 else 0))
