"""A recording of a tone of 1 kHz: whole, in tune, level, and in time. Usage: devices.py FILE SKIPPED_SECONDS"""

import cmath
import math
import struct
import sys
import wave

file = wave.open(sys.argv[1])
rate = file.getframerate()
samples = struct.unpack(f"<{file.getnframes()}h", file.readframes(file.getnframes()))[int(sys.argv[2]) * rate:]
seconds = len(samples) // rate

# A dropout: 5 ms in which the tone does not reach its peak.
block = rate // 200
gaps = [i / rate for i in range(0, len(samples) - block, block) if max(map(abs, samples[i:i + block])) < 0.9 * 16423]
assert not gaps, f"dropouts at {gaps[:10]} s"

turn = [cmath.exp(-2j * math.pi * k / 48) for k in range(48)]
phases, levels = [], []
for second in range(seconds):
    window = samples[second * rate:(second + 1) * rate]
    sum_ = sum(value * turn[k % 48] for k, value in enumerate(window))
    levels.append(20 * math.log10(2 * abs(sum_) / rate / 16423))
    phases.append(cmath.phase(sum_))
for index in range(1, seconds):
    while phases[index] - phases[index - 1] > math.pi:
        phases[index] -= 2 * math.pi
    while phases[index] - phases[index - 1] < -math.pi:
        phases[index] += 2 * math.pi

# The line through the phases is the deviation of the frequency; what remains is that of the delay.
mean_x, mean_y = (seconds - 1) / 2, sum(phases) / seconds
slope = sum((x - mean_x) * (y - mean_y) for x, y in enumerate(phases)) / sum((x - mean_x) ** 2 for x in range(seconds))
parts = slope / (2 * math.pi * 1000) * 1e6
delays = [phase / (2 * math.pi * 1000) * 1e3 for phase in phases]
span = max(delays) - min(delays)
print(f"{seconds} s, {parts:.3f} ppm, delay within {span:.3f} ms, level {min(levels):.3f} to {max(levels):.3f} dB")
# A server's positions wander, and the delay follows slowly: some parts in a million.
assert abs(parts) < 10, "the frequency is wrong"
assert span < 2, "the delay moves"
assert max(map(abs, levels)) < 0.1, "the level is wrong"
