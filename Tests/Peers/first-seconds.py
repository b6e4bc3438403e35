"""A tone of 1 kHz from its first second on: its rate, steps and dropouts. Usage: first-seconds.py FILE [LIMIT_PPM]"""

import cmath
import math
import struct
import sys
import wave

file = wave.open(sys.argv[1])
rate = file.getframerate()
samples = struct.unpack(f"<{file.getnframes()}h", file.readframes(file.getnframes()))
loud = [index for index, value in enumerate(samples) if abs(value) > 3000]
assert loud, "nothing was heard"
# The fades at both ends are left out.
samples = samples[loud[0] + rate // 20:loud[-1] - rate // 20]

# A dropout: 5 ms in which the tone does not reach its peak.
block = rate // 200
gaps = [i / rate for i in range(0, len(samples) - block, block) if max(map(abs, samples[i:i + block])) < 0.9 * 16423]

turn = [cmath.exp(-2j * math.pi * k / 48) for k in range(48)]
span = rate // 100
times, last = [], 0.0
for first in range(0, len(samples) - span, span):
    phase = cmath.phase(sum(samples[first + k] * turn[k % 48] for k in range(span)))
    phase += 2 * math.pi * round((last - phase) / (2 * math.pi))
    times.append(phase / (2 * math.pi * 1000))
    last = phase
steps = [abs(b - a) * 1e3 for a, b in zip(times, times[1:])]
rates = [(times[i + 99] - times[i]) / 0.99 * 1e6 for i in range(0, len(times) - 100, 100)]
print(f"{len(times) / 100:.0f} s, {min(rates):+.1f} to {max(rates):+.1f} ppm, largest step {max(steps):.4f} ms, dropouts {gaps[:10]}")
assert not gaps, "the sound was interrupted"
assert max(map(abs, rates)) < (float(sys.argv[2]) if len(sys.argv) > 2 else 50), "the rate is wrong"
assert max(steps) < 0.02, "the sound has steps"
