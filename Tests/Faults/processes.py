"""A relay and its users as processes, and what they report and record."""

import array
import json
import math
import operator
import pathlib
import signal
import subprocess
import sys
import threading
import time

RATE = 8_000
# Each block is a whole number of periods of an even number of hertz.
BLOCK = RATE // 2
LEVEL = 0.08
# Integer hertz, so that no tone is a harmonic of another one.
TONES = [300 + 74 * index for index in range(20)]
# What a heard tone has at least, and another channel's at most.
HEARD, UNHEARD = LEVEL / 3, LEVEL / 20


# Every process that was started, with the scenario's thread, whose name further threads inherit.
started = []


def start(arguments, **options):
    process = subprocess.Popen([str(argument) for argument in arguments], **options)
    started.append((threading.current_thread().name, process))
    return process


def kill_all(owner=None):
    """Kills what a scenario has started, or everything."""
    for name, process in started:
        if owner in (None, name) and process.poll() is None:
            process.kill()
            process.wait()


class Failure(Exception):
    """A sentence: why a scenario fails."""


def expect(is_met, sentence):
    if not is_met:
        raise Failure(sentence)


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stdout=subprocess.DEVNULL)


def wait_until(condition, seconds, sentence):
    """Waits for a condition; fails with the sentence."""
    end = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < end, sentence)
        time.sleep(0.02)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)] if values else math.nan


def figures(values):
    return f"p50 {percentile(values, 0.5):.2f} s, p95 {percentile(values, 0.95):.2f} s, longest {max(values):.2f} s"


class Place:
    """A folder with the relay's secret and a file for each tone."""

    def __init__(self, audiopipe, folder):
        self.audiopipe, self.folder = audiopipe, folder
        self.secret = folder / "secret.txt"
        self.secret.write_text("k" * 40)
        for hertz in TONES:
            run("sox", "-n", "-r", 48_000, "-b", 16, "-c", 1, folder / f"{hertz}.flac", "synth", 100, "sine", hertz, "vol", LEVEL)

    def token(self, channel, uid):
        return subprocess.run(
            [self.audiopipe, "token", "create", "--app-id", "demo", "--app-secret-file", self.secret, "--channel", channel,
             "--uid", str(uid)], check=True, stdout=subprocess.PIPE).stdout


class Relay:
    """A relay that can be killed and started again."""

    def __init__(self, place, *addresses, advertise=()):
        self.place, self.addresses, self.advertise = place, addresses, advertise
        self.url = f"ws://{addresses[0]}"
        self.start()

    def start(self):
        """Starts the relay; returns the time at which it listens."""
        arguments = [argument for address in self.addresses for argument in ("--listen", address)]
        arguments += [argument for address in self.advertise for argument in ("--advertise", address)]
        self.process = start(
            [self.place.audiopipe, "relay", *arguments, "--allow-plain", "--app-id", "demo", "--app-secret-file",
             self.place.secret, "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "listening at" in line:
                break
        else:
            raise Failure("the relay did not start")
        listening = time.monotonic()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        return listening

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends the relay; returns its counters."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.stdout.read()
        self.process.wait(10)
        return json.loads(said)["counters"]


class User:
    """A user that publishes a tone and records what it hears. Times of its events are those of time.monotonic."""

    def __init__(self, place, url, channel, uid, hertz, assigned=False, inside=()):
        self.place, self.channel, self.hertz = place, channel, hertz
        self.uid = uid
        # Another relay's user may have the same name.
        name = f"{channel}-{uid}"
        self.recorded = place.folder / f"{name}.wav"
        self.lines, self.guard, self.offset = [], threading.Lock(), math.inf
        self.said = open(place.folder / f"{name}.said", "wb")
        arguments = [
            "--url", url, "--channel", channel, "--uid", str(0 if assigned else uid), "--token-file", "-", "--publish",
            place.folder / f"{hertz}.flac", "--duration", "100", "--record-playback", self.recorded, "--events", "-",
            "--overwrite"]
        self.process = start(
            [*inside, place.audiopipe, "join", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said)
        self.process.stdin.write(place.token(channel, 0 if assigned else uid))
        self.process.stdin.close()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            now, event = time.monotonic(), json.loads(line)
            with self.guard:
                # The line that was read soonest has the clock's offset.
                self.offset = min(self.offset, now - event["time_s"])
                self.lines.append(event)
                if event["event"] == "didJoinChannel":
                    self.uid = event["uid"]

    def events(self, *names, since=0, until=math.inf):
        """Events of these names, each with its time."""
        with self.guard:
            timed = [(event["time_s"] + self.offset, event) for event in self.lines]
        return [(at, event) for at, event in timed if since <= at < until and event["event"] in names]

    @property
    def has_joined(self):
        return bool(self.events("didJoinChannel"))

    def heard_at(self, other, since):
        """Time at which another user's sound is decoded first; nil if it is not."""
        for at, event in self.events("remoteAudioStateChanged", since=since):
            if event["uid"] == other.uid and event["state"] == 2:
                return at
        return None

    def text(self, since, until=math.inf):
        """Events of the connection in short."""
        names = {
            "connectionStateChanged": lambda event: f"{event['state']}/{event['reason']}",
            "connectionDidLost": lambda event: "lost", "didRejoinChannel": lambda event: "rejoined",
            "didJoinedOfUid": lambda event: f"user {event['uid']} joined",
            "didOfflineOfUid": lambda event: f"user {event['uid']} offline {event['reason']}",
            "didOccurError": lambda event: f"error {event['code']}", "didLeaveChannel": lambda event: "left"}
        return [names[event["event"]](event) for _, event in self.events(*names, since=since, until=until)]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Leaves the channel. The recording is complete then."""
        self.process.send_signal(signal.SIGINT)

    def finish(self):
        """Waits for the end of the process."""
        self.process.wait(10)
        self.reader.join(5)
        code = self.process.returncode
        if code not in (0, 130):
            sys.stderr.write(pathlib.Path(self.said.name).read_text(errors="replace"))
            raise Failure(f"user {self.uid} of '{self.channel}' ended with {code}")

    def summary(self):
        """Frames heard of each user."""
        found = self.events("summary")
        expect(found, f"user {self.uid} of '{self.channel}' has no summary")
        return {int(uid): counts for uid, counts in found[-1][1]["heard"].items()}

    def samples(self, last):
        """The last seconds of the recording, but for the last half second, as samples of 8 kHz."""
        raw = subprocess.run(
            ["sox", "-V1", self.recorded, "-t", "raw", "-r", str(RATE), "-c", "1", "-e", "signed-integer", "-b", "16", "-",
             "trim", f"-{last + 0.5}"], check=True, stdout=subprocess.PIPE).stdout
        return [sample / 32_768 for sample in array.array("h", raw[: len(raw) // 2 * 2])][: int(last * RATE)]

    def tones(self, last, tones=TONES):
        """Median amplitude of each tone in the last seconds of the recording."""
        samples = self.samples(last)
        blocks = [samples[first:first + BLOCK] for first in range(0, len(samples) - BLOCK + 1, BLOCK)]
        expect(blocks, f"user {self.uid} of '{self.channel}' recorded less than half a second")
        return {hertz: sorted(amplitude(block, hertz) for block in blocks)[len(blocks) // 2] for hertz in tones}

    def silence(self, last):
        """The longest silence in the last seconds of the recording, in seconds."""
        samples, step = self.samples(last), RATE // 100
        longest = run_length = 0
        for first in range(0, len(samples) - step + 1, step):
            quiet = max(map(abs, samples[first:first + step])) < LEVEL / 10
            run_length = run_length + 1 if quiet else 0
            longest = max(longest, run_length)
        return longest / 100


def waves(hertz, cache={}):
    if hertz not in cache:
        turns = [2 * math.pi * hertz * index / RATE for index in range(BLOCK)]
        cache[hertz] = [math.cos(turn) for turn in turns], [math.sin(turn) for turn in turns]
    return cache[hertz]


def amplitude(block, hertz):
    cosine, sine = waves(hertz)
    return 2 / BLOCK * math.hypot(sum(map(operator.mul, block, cosine)), sum(map(operator.mul, block, sine)))


def start_hearing(users, seconds=20):
    """Waits until all users of a channel hear each other."""
    wait_until(lambda: all(user.has_joined for user in users), seconds, "the users did not join in time")
    pairs = [(user, other) for user in users for other in users if other is not user]
    wait_until(
        lambda: all(user.heard_at(other, 0) for user, other in pairs), seconds, "the users did not hear each other at first")


def end(users):
    for user in users:
        user.end()
    for user in users:
        user.finish()
