"""Measures receivers that are given the same packets at the same moments by their output alone; see gstreamer beside it.

    rtp send ─▶ tap ─▶ impair ─▶ tap ─┬▶ rtp receive ─▶ file
                                      └▶ gst-launch-1.0, once for each latency ─▶ file

The tap notes when each packet was sent and when it arrived; the same process watches the files grow. So all times are those of
one clock.

- When a sample is played: a receiver hands out blocks, 10 ms of ours and 20 ms of GStreamer's (whose sink waits for each
  buffer's time). The first sample of the newest block in a file is played when the file has grown to hold it, or
  earlier, where who writes files was late: the earliest of many tells. Ours run through without a gap, so that all tell
  for all; of GStreamer's, those within a second of each other.
- Which sample that is: what was sent is decoded without any loss. Its windows of 200 ms are looked for in what was played, by
  normalised correlation.
- GStreamer's rows are named by rtpjitterbuffer's latency (200 ms is its default); opusdec conceals (plc) in all of them.
- Delay: from a packet's arrival to the moment at which its first sample is played; the mean over the windows that were
  found. One that came too late to be played counts with the wait below 0 that it would have had.
- Altered: packets of speech, 20 ms each, that are not found where they should be with a correlation of 0.9: made up, rebuilt
  from a coarse copy, or missing.
- PESQ (ITU-T P.862.2, wide band): against the recording, the mean of items of 8 to 12 s.

What is asked of ours, in one run, over each network:

- Better on both axes at comparable delay: of all GStreamer's rows the one with the least delay that is not below ours has a higher
  one, by half of it at most, and a lower PESQ; and so has every row below ours a lower PESQ.
- Beside its default, 200 ms, with FEC and without: half of the delay at most, and a PESQ that is not lower by more than 0.05.
"""

import array
import ctypes
import ctypes.util
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import wave

import numpy
from pesq import pesq
from scipy.signal import correlate, resample_poly

from receiver import RATE, items

NETWORKS = [
    ("20±15 ms", ["--delay", "20ms", "--jitter", "15ms"]),
    ("50±20 ms", ["--delay", "50ms", "--jitter", "20ms"]),
    ("50±20 ms, 10 % lost", ["--delay", "50ms", "--jitter", "20ms", "--loss", "10%"]),
]
# rtpjitterbuffer's latency in ms, 200 being its default, and whether opusdec uses FEC, for which it waits 120 ms more.
OTHERS = [(latency, True) for latency in (20, 30, 40, 60, 200)]
OTHERS += [(latency, False) for latency in (20, 25, 30, 35, 40, 60, 200)]
DEFAULT_LATENCY = 200
# How far a delay may be above ours and be comparable, what share of the default's delay ours may have, and how far below its PESQ.
COMPARABLE, SHARE, LOWER = 1.5, 0.5, 0.05
PACKET = 960
# Thinned by 3: correlations at 16 kHz.
THIN = 3
THIN_RATE = RATE // THIN


class Tap(threading.Thread):
    """Passes datagrams on twice, before and behind the network, and watches files grow."""

    def __init__(self):
        super().__init__(daemon=True)
        self.before, self.behind = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for end in (self.before, self.behind):
            end.bind(("127.0.0.1", 0))
            end.setblocking(False)
        self.network, self.receivers, self.files = None, [], {}
        self.sent, self.arrived, self.payloads, self.growth = {}, {}, {}, {}
        self.slowest = 0.0
        self.ends = False

    def run(self):
        hurry()
        poll = select.poll()
        for end in (self.before, self.behind):
            poll.register(end, select.POLLIN)
        last = time.monotonic()
        while not self.ends:
            poll.poll(1)
            now = time.monotonic()
            self.slowest, last = max(self.slowest, now - last), now
            self.take(self.before, self.sent, [self.network])
            self.take(self.behind, self.arrived, self.receivers)
            for name, path in self.files.items():
                try:
                    size = os.stat(path).st_size
                except FileNotFoundError:
                    continue
                events = self.growth.setdefault(name, [])
                if not events or events[-1][1] != size:
                    events.append((time.monotonic(), size))

    def take(self, end, times, targets):
        while True:
            try:
                packet = end.recv(2_048)
            except BlockingIOError:
                return
            now = time.monotonic()
            # What receivers report, or ask for again, goes nowhere: all of them have the same packets only.
            if len(packet) < 12 or 192 <= packet[1] < 224:
                continue
            sequence = int.from_bytes(packet[2:4], "big")
            times[sequence] = now
            if end is self.before:
                self.payloads[sequence] = packet[12:]
            for target in targets:
                end.sendto(packet, ("127.0.0.1", target))


def decoded(payloads):
    """What libopus makes of all packets."""
    opus = ctypes.CDLL(ctypes.util.find_library("opus") or "libopus.so.0")
    opus.opus_decoder_create.restype = ctypes.c_void_p
    opus.opus_decode_float.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    decoder = opus.opus_decoder_create(RATE, 1, None)
    samples = (ctypes.c_float * 5_760)()
    result = []
    for payload in payloads:
        count = opus.opus_decode_float(decoder, payload, len(payload), samples, 5_760, 0)
        if count != PACKET:
            sys.exit(f"gstreamer: a packet holds {count} samples, not {PACKET}")
        result.append(numpy.frombuffer(samples, "f4", count).copy())
    return numpy.concatenate(result)


def hurry():
    """Asks for real-time priority, so that what else the machine does is no part of the result."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        pass


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def said(process, pattern):
    """Waits until a process says something on standard error. Returns: what was matched."""
    for line in process.stderr:
        if found := re.search(pattern, line):
            return int(found.group(1))
    sys.exit(f"gstreamer: {' '.join(process.args)} ended with {process.wait()}")


def run(audiopipe, speech, conditions, folder):
    """Plays the file through the network to all receivers. Returns: the tap."""
    tap = Tap()
    processes = []

    def start(*arguments, **options):
        processes.append(subprocess.Popen(arguments, stdin=subprocess.DEVNULL, preexec_fn=hurry, **options))
        return processes[-1]

    ours = os.path.join(folder, "ours.wav")
    if os.path.exists(ours):
        os.remove(ours)
    receiver = start(
        audiopipe, "rtp", "receive", "--url", "rtp://127.0.0.1:0", "-o", ours, stderr=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    tap.files["ours"] = ours
    tap.receivers.append(said(receiver, r"listening at .*:(\d+)"))
    for latency, fec in OTHERS:
        path, port = os.path.join(folder, f"{latency}-{fec}.raw"), free_port()
        if os.path.exists(path):
            os.remove(path)
        start(
            "gst-launch-1.0", "-q", "udpsrc", "address=127.0.0.1", f"port={port}",
            "caps=application/x-rtp,media=audio,clock-rate=48000,encoding-name=OPUS,payload=111", "!",
            "rtpjitterbuffer", f"latency={latency}", "do-lost=true", "!", "rtpopusdepay", "!", "opusdec", "plc=true",
            f"use-inband-fec={str(fec).lower()}", "!", "audio/x-raw,format=S16LE,rate=48000,channels=1", "!", "filesink",
            f"location={path}", "sync=true", "buffer-mode=unbuffered")
        tap.files[latency, fec] = path
        tap.receivers.append(port)
    impair = start(
        audiopipe, "impair", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{tap.behind.getsockname()[1]}", "--seed", "1",
        *conditions, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    tap.network = said(impair, r"comes to .*:(\d+)")
    # GStreamer has said nothing, but it opens its file when it listens.
    while not all(os.path.exists(path) for name, path in tap.files.items() if name != "ours"):
        time.sleep(0.05)
    tap.start()
    sender = start(
        audiopipe, "rtp", "send", speech, "--url", f"rtp://127.0.0.1:{tap.before.getsockname()[1]}", "--codec",
        "opus:bitrate=32000:frame=20:fec", "--fixed", "-q", stdout=subprocess.DEVNULL)
    failed = sender.wait()
    time.sleep(0.7)
    for process in processes[:-1]:
        process.send_signal(signal.SIGINT)
    for process in processes[:-1]:
        process.wait()
    tap.ends = True
    tap.join()
    if failed or not tap.arrived:
        sys.exit("gstreamer: nothing was sent")
    return tap


def played(tap, name):
    """What a receiver played. Returns: its samples, and a function from their places to the moments they were played at."""
    path = tap.files[name]
    if name == "ours":
        with wave.open(path) as file:
            samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32_768
        head, block = os.path.getsize(path) - 2 * len(samples), RATE // 100
    else:
        samples, head, block = numpy.fromfile(path, "<i2") / 32_768, 0, PACKET
    events = [(moment, (size - head) // 2 - block) for moment, size in tap.growth[name] if size - head >= 2 * block]
    if len(events) < 2:
        sys.exit(f"gstreamer: {name} wrote next to nothing; see whether it was given packets")
    # The file's last growth is its end, not a block.
    events = numpy.array(events[:-1])
    starts, offsets = events[:, 1], events[:, 0] - events[:, 1] / RATE
    if name == "ours":
        return samples, lambda place: offsets.min() + place / RATE
    earliest = numpy.array([offsets[numpy.abs(starts - start) <= RATE / 2].min() for start in starts])
    return samples, lambda place: numpy.interp(place, starts, earliest) + place / RATE


def similarity(window, place):
    """The normalised correlation of a window with each part of `place`."""
    sums = numpy.concatenate([[0], numpy.cumsum(place ** 2)])
    power = sums[len(window):] - sums[:-len(window)]
    together = correlate(place, window, "valid", "fft" if len(window) > 1_000 else "direct")
    return together / numpy.sqrt(numpy.maximum(power, 1e-9) * max((window ** 2).sum(), 1e-9))


class Score:
    """Delay and sound of one receiver."""

    def __init__(self, tap, name, sound, first, begin, originals):
        samples, moment = played(tap, name)
        thin, reference = resample_poly(samples, 1, THIN), resample_poly(sound, 1, THIN)
        # Windows of 200 ms that begin with a packet, every 100 ms.
        delays, places = [], {}
        width, levels = THIN_RATE // 5, numpy.sqrt(numpy.mean(reference.reshape(-1, PACKET // THIN) ** 2, axis=1))
        is_speech = levels > numpy.quantile(levels, 0.9) / 10
        guess = None
        for packet in range(begin // PACKET, len(levels) - 10, 5):
            window = reference[packet * PACKET // THIN:][:width]
            if not is_speech[packet:packet + 10].all():
                continue
            # Within a second of where the last one was found.
            middle = packet * PACKET // THIN + (guess or 0)
            low = max(0, middle - (THIN_RATE if guess is not None else 2 * THIN_RATE))
            part = thin[low:middle + (THIN_RATE if guess is not None else 4 * THIN_RATE) + width]
            if len(part) < width:
                continue
            values = similarity(window, part)
            best = int(values.argmax())
            if values[best] < 0.8:
                continue
            guess = low + best - packet * PACKET // THIN
            # To the sample, by 20 ms of it.
            near = max(0, (low + best) * THIN - THIN)
            fine = similarity(sound[packet * PACKET:][:PACKET], samples[near:near + 2 * THIN + PACKET])
            places[packet] = near + int(fine.argmax())
            sequence = (first + packet) % 65_536
            if sequence in tap.arrived:
                delays.append(float(moment(places[packet])) - tap.arrived[sequence])
        if len(delays) < 50:
            sys.exit(f"gstreamer: of {name} next to nothing was found in what it played")
        self.delay = numpy.mean(delays) * 1e3
        self.spread = numpy.quantile(delays, 0.95) * 1e3
        known = numpy.array(sorted(places))
        shifts = numpy.array([places[packet] - packet * PACKET for packet in known])
        altered = []
        for packet in range(begin // PACKET, len(levels) - 10):
            if not is_speech[packet]:
                continue
            near = shifts[numpy.abs(known - packet) <= 25]
            if len(near) == 0:
                altered.append(True)
                continue
            window = sound[packet * PACKET:][:PACKET]
            part = samples[max(0, packet * PACKET + near.min() - 48):packet * PACKET + near.max() + 48 + PACKET]
            altered.append(len(part) < PACKET or similarity(window, part).max() < 0.9)
        self.altered = numpy.mean(altered) * 100
        shift = int(numpy.median(shifts)) // THIN
        self.marks = []
        for start, original in originals:
            piece = thin[max(0, start // THIN + shift):][:len(original)]
            piece = numpy.pad(piece, (0, len(original) - len(piece)))
            self.marks.append(pesq(THIN_RATE, original, piece.astype("f4"), "wb"))
        self.pesq = numpy.mean(self.marks)


def label(key):
    return "audiopipe" if key == "ours" else f"GStreamer, {key[0]} ms{', FEC' if key[1] else ''}"


def misses(scores):
    """Compares a network's scores. Returns: the rows that ours is measured against, and what it misses."""
    ours = scores["ours"]
    others = {key: score for key, score in scores.items() if key != "ours"}
    above = min((key for key in others if others[key].delay > ours.delay), key=lambda key: others[key].delay, default=None)
    result = []
    if above is None or others[above].delay > COMPARABLE * ours.delay:
        result.append("no row of GStreamer's has a comparable delay above ours; add a latency to OTHERS")
    for key, score in others.items():
        if (key == above or score.delay <= ours.delay) and score.pesq >= ours.pesq:
            result.append(f"{label(key)}, has {score.delay:.1f} ms and {score.pesq:.3f}: it sounds as good at no more delay")
        if key[0] == DEFAULT_LATENCY:
            if ours.delay > SHARE * score.delay:
                result.append(f"{label(key)}, has {score.delay:.1f} ms: ours is more than half of it")
            if ours.pesq < score.pesq - LOWER:
                result.append(f"{label(key)}, has {score.pesq:.3f}: ours is lower by more than {LOWER}")
    return above, result


def main():
    audiopipe = os.path.abspath(sys.argv[1])
    speech = items()[:7]
    bounds = numpy.cumsum([0] + [len(item) for item in speech])
    # The first item is there for receivers to settle in.
    originals = [
        (bounds[index], resample_poly(speech[index], 1, THIN).astype("f4")) for index in range(1, len(speech))]
    failed = False
    print(f"{(bounds[-1] - bounds[1]) / RATE:.0f} s of speech, after {bounds[1] / RATE:.0f} s; load {os.getloadavg()[0]:.1f}")
    print(f"{'network':<22}{'receiver':<24}{'delay':>9}{'p95':>9}{'altered':>10}{'PESQ':>7}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "speech.wav")
        with wave.open(path, "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            sound = numpy.concatenate(speech + [numpy.zeros(RATE // 2)])
            file.writeframes(array.array("h", (sound * 32_767).astype("<i2").tolist()).tobytes())
        for name, conditions in NETWORKS:
            tap = run(audiopipe, path, conditions, folder)
            first = min(tap.sent, key=tap.sent.get)
            payloads = [tap.payloads[(first + index) % 65_536] for index in range(len(tap.payloads))]
            sound = decoded(payloads)
            scores = {
                key: Score(tap, key, sound, first, int(bounds[1]), originals) for key in ["ours", *OTHERS]}
            above, missed = misses(scores)
            for key, score in scores.items():
                note = "  comparable" if key == above else "  default" if key[0] == DEFAULT_LATENCY else ""
                print(
                    f"{name if key == 'ours' else '':<22}{label(key):<24}{score.delay:>6.1f} ms{score.spread:>6.1f} ms"
                    f"{score.altered:>8.2f} %{score.pesq:>7.3f}{note}", flush=True)
            for sentence in missed:
                print(f"gstreamer: over {name} ours misses what is asked of it: {sentence}", flush=True)
            failed |= bool(missed)
            if tap.slowest > 0.02:
                print(f"{'':<22}(the machine was busy: this process waited for {tap.slowest * 1e3:.0f} ms)")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
