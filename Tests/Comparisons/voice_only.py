"""Scores a voice-only mode with PESQ and levels; see voice-only beside it."""

import ctypes
import glob
import os
import subprocess
import sys
import tempfile

import numpy
from pesq import pesq
from scipy.io import wavfile
from scipy.signal import butter, lfilter, resample_poly, sosfilt

SNR = 10
SPEECH_DBFS = float(sys.argv[3])
# What asterisk's prompts are stored at, and what most devices have.
RATES = [16_000, 48_000]


def decode(path, rate):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(rate), "-f", "s16le", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, "<i2") / 32_768


def synthetic(voice, text, rate):
    """A voice of espeak-ng, which goes on without a pause, and between sentences with zeros."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "voice.wav")
        subprocess.run(["espeak-ng", "-v", voice, "-w", path, text], check=True)
        return decode(path, rate)


SENTENCES = ("The quick brown fox jumps over the lazy dog. She sells sea shells by the sea shore. "
             "Please call Stella and ask her to bring these things with her from the store.")


SYNTHETIC = {
    "en": SENTENCES, "en+m3": SENTENCES, "de": SENTENCES,
    "fr": "Les enfants jouent dans le jardin, et le soleil brille sur la mer toute la journée. Nous irons demain au marché.",
    "de+f2": "Zwischen den Jahren sitzen sechzig Zwerge auf schwarzen Fässern und singen leise. Am nächsten Morgen schien "
             "die Sonne durch das Fenster.",
    "pl": "W Szczebrzeszynie chrząszcz brzmi w trzcinie i Szczebrzeszyn z tego słynie.",
}


def voices(rate):
    """Voices of 10 to 20 s, recorded and synthetic, each with silence before and after it."""
    result = {"alsa": sorted(glob.glob("/usr/share/sounds/alsa/[FRS]*.wav"))}
    prompts = [path for path in sorted(glob.glob("/usr/share/asterisk/sounds/en*/*.g722"))
               if os.path.getsize(path) > 20_000 and not os.path.basename(path).startswith("tt-")]
    # Every so many-th prompt: sets that have nothing in common.
    for index in range(3 if len(prompts) >= 16 else 0):
        result[f"asterisk {index + 1}"] = prompts[index::len(prompts) // 5][:4]
    spoken_by = {name: [decode(path, rate) for path in paths] for name, paths in result.items()}
    for voice, text in SYNTHETIC.items():
        spoken_by[f"espeak {voice}"] = [synthetic(voice, text, rate)]
    for name, phrases in spoken_by.items():
        pieces = [numpy.zeros(rate)]
        for phrase in phrases:
            pieces += [phrase, numpy.zeros(rate // 2)]
        samples = numpy.concatenate(pieces)
        samples *= 10 ** (SPEECH_DBFS / 20) / numpy.sqrt(power(samples, spoken(samples, rate), rate))
        yield name, numpy.clip(samples, -0.99, 0.99)


def frames(samples, rate):
    length = rate // 100
    return samples[:len(samples) // length * length].reshape(-1, length)


def spoken(samples, rate):
    """Of each 10 ms of speech alone, whether somebody speaks: what is not 40 dB below the loud parts."""
    powers = numpy.mean(frames(samples, rate) ** 2, axis=1)
    return powers > 1e-4 * numpy.percentile(powers, 95)


def power(samples, chosen, rate):
    return numpy.mean(frames(samples, rate)[chosen] ** 2) + 1e-14


def without_pauses(samples, rate):
    """The words alone, one after another, between a second of silence each: only there noise can be measured."""
    said = samples[:len(samples) // (rate // 100) * (rate // 100)][numpy.repeat(spoken(samples, rate), rate // 100)]
    return numpy.concatenate([numpy.zeros(rate), said, numpy.zeros(rate)])


def pauses(samples, rate):
    """What is 80 ms away from words, from the second second on."""
    near = spoken(samples, rate)
    near = numpy.convolve(near, numpy.ones(17), "same") > 0.5
    near[:100] = True
    return ~near


def fan(count, rate, random):
    """Coloured noise that stays, the tone of the blades with overtones, and the hum of the mains."""
    white = random.standard_normal(count)
    low = lfilter([1], [1, -numpy.exp(-2 * numpy.pi * 220 / rate)], white)
    middle = sosfilt(butter(2, [250, 900], "band", fs=rate, output="sos"), white)
    time = numpy.arange(count) / rate
    blades = random.uniform(110, 150)
    tones = [(k * blades, a) for k, a in [(1, 0.5), (2, 0.35), (3, 0.2), (5, 0.1), (7, 0.06)]]
    tones += [(50, 0.25), (100, 0.3), (200, 0.1)]
    hum = sum(a * numpy.sin(2 * numpy.pi * f * time + 0.3 * numpy.sin(4.4 * time + f)) for f, a in tones)
    return low / low.std() + 0.7 * middle / middle.std() + 0.1 * white + hum


def keyboard(count, rate, random):
    """Five to twelve strokes a second: two knocks with resonances, and a weaker one when the key is let go."""
    sound = numpy.zeros(count)

    def knock(first, strength):
        length = int(random.uniform(0.012, 0.05) * rate)
        age = numpy.arange(length) / rate
        value = 0.9 * random.standard_normal(length) * numpy.exp(-age / random.uniform(0.0015, 0.005))
        for _ in range(random.integers(3, 6)):
            hertz = random.uniform(300, 7_000)
            value += random.uniform(0.2, 0.9) * numpy.exp(-age / random.uniform(0.003, 0.012)) * numpy.sin(
                2 * numpy.pi * hertz * age + random.uniform(0, 6.28))
        value *= numpy.minimum(1, age / 0.0005)
        sound[first:first + length] += strength * value[:count - first]

    time = 0.1
    while (time + 0.2) * rate < count:
        strength = 10 ** (random.uniform(-6, 6) / 20)
        knock(int(time * rate), strength)
        knock(int((time + random.uniform(0.004, 0.012)) * rate), strength * random.uniform(0.2, 0.8))
        knock(int((time + random.uniform(0.06, 0.12)) * rate), strength * random.uniform(0.15, 0.5))
        time += 1 / random.uniform(5, 12)
        if random.random() < 0.12:
            time += random.uniform(0.2, 0.8)
    return sound


def office(count, rate, random):
    """Somebody types beside a fan, each as loud as the other."""
    both = [make(count, rate, random) for make in (fan, keyboard)]
    return sum(noise / noise.std() for noise in both)


def hum(hertz, count_of_tones):
    """Mains, transformers, motors: tones that stay, without any noise beside them."""
    def make(count, rate, random):
        time = numpy.arange(count) / rate
        return sum(numpy.sin(2 * numpy.pi * hertz * k * time + random.uniform(0, 6.28)) / k for k in range(1, count_of_tones + 1))
    return make


def rumble(count, rate, random):
    """Traffic, wind, an air conditioner in another room: noise that comes and goes, below voices."""
    return sosfilt(butter(2, [15, 90], "band", fs=rate, output="sos"), random.standard_normal(count))


def ours(audiopipe):
    def run(samples, rate):
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
            wavfile.write(source, rate, samples)
            done = subprocess.run(
                [audiopipe, "process", source, "-o", target, "--voice-only", "--sample-format", "f32", "-q"],
                stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                sys.exit(f"voice-only: audiopipe failed: {done.stderr.strip()}")
            return wavfile.read(target)[1].astype(float)
    return run


def speexdsp(path):
    library = ctypes.CDLL(os.path.abspath(path))
    library.twin_denoiser_create.restype = ctypes.c_void_p
    library.twin_denoiser_create.argtypes = [ctypes.c_int, ctypes.c_int]
    library.twin_denoiser_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.twin_denoiser_destroy.argtypes = [ctypes.c_void_p]

    def run(samples, rate):
        length = rate // 100
        output = samples[:len(samples) // length * length].copy()
        state = library.twin_denoiser_create(rate, length)
        for first in range(0, len(output), length):
            library.twin_denoiser_run(state, output[first:].ctypes.data)
        library.twin_denoiser_destroy(state)
        # Windows overlap by a frame, so the sound is one late.
        return numpy.concatenate([output[length:], numpy.zeros(length)]) / 32_768
    return run


def score(reference, samples, rate):
    one, other = (resample_poly(x[rate:], 1, rate // 16_000).astype(numpy.float32) for x in (reference, samples))
    return pesq(16_000, one, other[:len(one)], "wb")


def main():
    programs = {"ours": ours(os.path.abspath(sys.argv[1])), "speexdsp": speexdsp(sys.argv[2])}
    rooms = {"alone": None, "keyboard": keyboard, "fan": fan, "both": office, "rumble": rumble, "hum 50": hum(50, 12), "hum 60": hum(60, 12),
             "hum 100": hum(100, 6), "hum 125": hum(125, 6)}
    failed = []
    print(f"PESQ of the input, and what each adds to it; in brackets by how many dB pauses are quieter. {SNR} dB SNR")
    print(f"{'':33}{'input':>6}" + "".join(f"{name:>18}" for name in programs))
    means = {}
    for rate in RATES:
        found = list(voices(rate))
        found += [(f"{name} dense", without_pauses(clean, rate)) for name, clean in found[:2]]
        for voice, (name, clean) in enumerate(found):
            quiet = pauses(clean, rate)
            for room, make in rooms.items():
                noise = numpy.zeros(len(clean))
                if make:
                    noise = make(len(clean), rate, numpy.random.default_rng(100 + voice))
                    noise *= numpy.sqrt(power(clean, spoken(clean, rate), rate) / numpy.mean(noise ** 2)) * 10 ** (-SNR / 20)
                samples = numpy.round(numpy.clip(clean + noise, -1, 1) * 32_767).astype("<i2")
                plain = samples / 32_768
                start = score(clean, plain, rate)
                line = f"{rate:6} {name:17}{room:9}{start:6.2f}"
                for program, run in programs.items():
                    output = run(samples, rate)[:len(clean)]
                    gained = score(clean, output, rate) - start
                    down = 10 * numpy.log10(power(plain, quiet, rate) / power(output, quiet, rate))
                    line += f"{gained:+9.2f} " + (f"({down:4.1f} dB)" if make else " " * 9)
                    means.setdefault((room, program), []).append((gained, down))
                    least_gain, least_down = {"alone": (-0.1, -1), "both": (0.2, 15), "rumble": (0.15, 10)}.get(room, (0.3, 15))
                    if program == "ours" and (gained < least_gain or (make and down < least_down)):
                        failed.append(f"{name}, {room}, {rate} Hz")
                print(line, flush=True)
    for room in rooms:
        line = f"{'mean':24}{room:9}{'':6}"
        for program in programs:
            gained, down = numpy.mean(means[room, program], axis=0)
            line += f"{gained:+9.2f} " + (f"({down:4.1f} dB)" if rooms[room] else " " * 9)
        print(line)
    for what in failed:
        print(f"voice-only: ours misses what is asked of it ({what})")
    sys.exit(1 if failed else 0)


main()
