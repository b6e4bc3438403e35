"""Scores pitch shifts there and back with PESQ, and how far formants that are kept move; see pitch-shift beside it."""

import glob
import os
import resource
import subprocess
import sys
import tempfile

import numpy
from pesq import pesq
from scipy.fft import dct
from scipy.signal import correlate, resample_poly

RATE = 48_000
SEMITONES = [3, -3, 7, -7, 12, -12]
# Voices whose formants stay are not moved farther than people can speak.
SPOKEN = [2, -2, 4, -4, 7, -7]
SENTENCES = {
    "en-us": "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. "
             "It is easy to tell the depth of a well. These days a chicken leg is a rare dish.",
    "en-gb+f3": "Rice is often served in round bowls. The juice of lemons makes fine punch. "
                "The box was thrown beside the parked truck. The hogs were fed chopped corn and garbage.",
}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"pitch-shift: {command[0]} failed: {done.stderr.strip()}")


def ours(audiopipe, mode, *options):
    return lambda source, target, semitones: run(
        audiopipe, "process", source, "-o", target, "--overwrite", "--sample-format", "f32", "--jobs", "1",
        "--pitch", f"{semitones:+}st", "--pitch-mode", mode, *options)


def soundstretch(*options):
    return lambda source, target, semitones: run("soundstretch", source, target, f"-pitch={semitones}", *options)


def rubberband(*options):
    return lambda source, target, semitones: run("rubberband", "-q", *options, "-p", str(semitones), source, target)


def decode(path, rate=RATE):
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(rate), "-f", "s16le", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, "<i2")


def write(path, samples):
    run_input = ["ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-",
                 "-bitexact", "-c:a", "pcm_s16le", path]
    subprocess.run(run_input, check=True, input=samples.tobytes())


def voices(folder):
    """Recorded and synthetic voices, about ten seconds each."""
    result = {}
    phrases = sorted(glob.glob("/usr/share/sounds/alsa/[FRS]*.wav"))
    result["alsa"] = numpy.concatenate([decode(path) for path in phrases])
    prompts = [path for path in sorted(glob.glob("/usr/share/asterisk/sounds/en*/*.g722"))
               if os.path.getsize(path) > 20_000]
    # Every so many-th prompt: two sets that have nothing in common.
    for index in range(2 if len(prompts) >= 16 else 0):
        chosen = prompts[index::len(prompts) // 5][:4]
        result[f"asterisk {index + 1}"] = numpy.concatenate([decode(path) for path in chosen])
    for voice, text in SENTENCES.items():
        path = os.path.join(folder, "espeak.wav")
        run("espeak-ng", "-v", voice, "-w", path, text)
        result[f"espeak {voice}"] = decode(path)
    return result


def aligned(reference, path):
    """A file's samples, lined up with what it should be over up to 200 ms."""
    output = decode(path)
    length, reach = min(len(reference), len(output), 8 * RATE), RATE // 5
    products = correlate(output[:length].astype(float), reference[:length].astype(float), "full", method="fft")
    middle = length - 1
    lag = int(numpy.argmax(numpy.abs(products[middle - reach:middle + reach + 1]))) - reach
    moved = output[lag:] if lag >= 0 else numpy.concatenate([numpy.zeros(-lag, output.dtype), output])
    return numpy.pad(moved[:len(reference)], (0, max(0, len(reference) - len(moved))))


def at_16_khz(samples):
    return resample_poly(samples / 32_768, 16_000, RATE).astype(numpy.float32)


def score(reference, path):
    """PESQ of a file against what it should be."""
    return pesq(16_000, at_16_khz(reference), at_16_khz(aligned(reference, path)), "wb")


def envelopes(samples):
    """Cepstra 1 to 11 of 23 mel bands of 80 Hz to 5 kHz, one each 10 ms, and the levels in dB."""
    size, hop, bands = 640, 160, 23
    windows = numpy.lib.stride_tricks.sliding_window_view(at_16_khz(samples), size)[::hop] * numpy.hanning(size)
    power = numpy.abs(numpy.fft.rfft(windows, 1_024)) ** 2
    low, high = (2_595 * numpy.log10(1 + hertz / 700) for hertz in (80, 5_000))
    edges = 700 * (10 ** (numpy.linspace(low, high, bands + 2) / 2_595) - 1)
    places = numpy.fft.rfftfreq(1_024, 1 / 16_000)
    rising = (places - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - places) / (edges[2:] - edges[1:-1])[:, None]
    energy = power @ numpy.clip(numpy.minimum(rising, falling), 0, None).T
    levels = 10 * numpy.log10(energy.sum(1) + 1e-12)
    return dct(10 * numpy.log10(energy + 1e-7 * energy.max()), norm="ortho")[:, 1:12], levels


def distance(reference, path):
    """How far the spectrum's envelope has moved where there is sound, root of the mean square in dB."""
    output = decode(path)[:len(reference)]
    output = numpy.pad(output, (0, len(reference) - len(output)))
    (before, levels), (after, _) = envelopes(reference), envelopes(output)
    heard = levels > levels.max() - 30
    return numpy.sqrt(((before - after)[heard] ** 2).sum(1) / 23).mean()


def seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    audiopipe = os.path.abspath(sys.argv[1])
    classes = {
        "low delay": {
            "ours, low-delay": ours(audiopipe, "low-delay"), "SoundTouch": soundstretch(),
            "SoundTouch, speech": soundstretch("-speech")},
        "quality": {
            "ours, quality": ours(audiopipe, "quality"), "Rubber Band R2": rubberband("-2"),
            "Rubber Band R3": rubberband("-3")},
    }
    formants = {
        "ours, low-delay": ours(audiopipe, "low-delay", "--keep-formants"),
        "ours, quality": ours(audiopipe, "quality", "--keep-formants"),
        "Rubber Band R3": rubberband("-3", "-F"), "R3, formants moved": rubberband("-3")}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        for name, samples in voices(folder).items():
            path = os.path.join(folder, name.replace(" ", "-") + ".wav")
            write(path, samples)
            sources[path] = decode(path)
        duration = sum(len(samples) for samples in sources.values()) / RATE
        print(f"{len(sources)} voices, {duration:.0f} s; mean PESQ after a shift there and back, by semitones")
        print(f"{'':20}" + "".join(f"{s:+7}" for s in SEMITONES) + "   mean   µs of processor per 10 ms")
        for title, programs in classes.items():
            means = {}
            for name, shift in programs.items():
                row, spent = [], 0
                for semitones in SEMITONES:
                    marks = []
                    for path, reference in sources.items():
                        there, back = os.path.join(folder, "there.wav"), os.path.join(folder, "back.wav")
                        start = seconds()
                        shift(path, there, semitones)
                        shift(there, back, -semitones)
                        spent += seconds() - start
                        marks.append(score(reference, back))
                    row.append(numpy.mean(marks))
                means[name] = numpy.mean(row)
                cost = spent / (2 * len(SEMITONES) * duration) * 1e4
                print(f"{name:20}" + "".join(f"{mark:7.2f}" for mark in row) + f"{means[name]:7.2f}   {cost:.0f}",
                      flush=True)
            mine, *others = means.values()
            if mine < max(others):
                failed = True
                print(f"pitch-shift: ours is not the best of its class ({title})")
        print("\nFormants kept: how far the envelope moves, in dB, by semitones")
        print(f"{'':20}" + "".join(f"{s:+7}" for s in SPOKEN) + "   mean   PESQ there and back by 2 and 4")
        means = {}
        for name, shift in formants.items():
            row, marks = [], []
            for semitones in SPOKEN:
                distances = []
                for path, reference in sources.items():
                    there, back = os.path.join(folder, "there.wav"), os.path.join(folder, "back.wav")
                    shift(path, there, semitones)
                    distances.append(distance(reference, there))
                    if abs(semitones) <= 4:
                        shift(there, back, -semitones)
                        marks.append(score(reference, back))
                row.append(numpy.mean(distances))
            means[name] = numpy.mean(row)
            print(f"{name:20}" + "".join(f"{mark:7.2f}" for mark in row)
                  + f"{means[name]:7.2f}   {numpy.mean(marks):.2f}", flush=True)
        if max(means["ours, low-delay"], means["ours, quality"]) > means["Rubber Band R3"]:
            failed = True
            print("pitch-shift: ours moves formants farther than Rubber Band")
    sys.exit(1 if failed else 0)


main()
