"""Joins rooms of Janus's AudioBridge as plain RTP participants and checks the sound that each one gets: janus.py BUILD_FOLDER FOLDER

    rtp send ─▶ Janus: decode, mix, encode ─▶ rtp receive      once for each codec
    rtp send ─▶ Janus ◀═▶ VoiceBot
                      └─▶ rtp receive, forwarder ─▶ CallRecorder

The folder has Janus's socket `api` and its `log`. Janus sends a participant's mix to the address in `join`, once a packet has
come from there; so a packet opens the way of a receiver. Without an address in `join`, it receives from any and sends nothing.
"""

import contextlib
import json
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Examples"))
sys.dont_write_bytecode = True
import correlation  # noqa: E402

BIN, FOLDER = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
SPEECH = pathlib.Path("/usr/share/sounds/alsa")
WORD, OTHER, PROMPT = (SPEECH / f"{name}.wav" for name in ("Front_Left", "Side_Right", "Rear_Right"))
# Payload type, and the payload of 20 ms of silence.
CODECS = {"opus": (111, b"\xf8\xff\xfe"), "pcmu": (0, b"\xff" * 160), "pcma": (8, b"\xd5" * 160)}
# Share of a sound's parts of 100 ms that must be heard. Janus cuts or repeats 20 ms now and then; of another sound it is 0.
LEAST = 0.7
# Time after which no scenario is repeated, in seconds from the start.
PATIENCE = 45
BEGAN = time.monotonic()

# Checks of the present scenario: name, whether it is met, numbers.
checks = []


def check(name, is_met, numbers):
    checks.append((name, is_met, numbers))


def hears(name, sound, path):
    """Checks that a sound is in a file."""
    if not path.exists():
        return check(name, False, "nothing was written")
    share, count = correlation.share(sound, path)
    check(name, share >= LEAST, f"{100 * share:.0f} % of {count} parts")


class Session:
    """A session of Janus's API."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(10)
        self.socket.connect(str(FOLDER / "api"))
        self.number = self.count = self.rooms = 0
        self.number = self.request({"janus": "create"})["data"]["id"]

    def request(self, message):
        """Sends a request and returns its last answer."""
        self.count += 1
        transaction = str(self.count)
        message["transaction"] = transaction
        if self.number:
            message["session_id"] = self.number
        self.socket.send(json.dumps(message).encode())
        while True:
            answer = json.loads(self.socket.recv(65_536))
            if answer.get("transaction") == transaction and answer["janus"] != "ack":
                if answer["janus"] == "error":
                    raise RuntimeError(f"Janus: {answer['error']['reason']}")
                return answer

    def attach(self):
        return self.request({"janus": "attach", "plugin": "janus.plugin.audiobridge"})["data"]["id"]

    def ask(self, handle, body):
        """Sends a request to the plugin and returns its answer."""
        answer = self.request({"janus": "message", "handle_id": handle, "body": body})["plugindata"]["data"]
        if "error" in answer:
            raise RuntimeError(f"Janus: {answer['error']}")
        return answer

    def room(self):
        """Makes a room of 48 kHz; returns its number, and the handle that controls it."""
        self.rooms += 1
        number, handle = self.rooms, self.attach()
        self.ask(handle, {
            "request": "create", "room": number, "sampling_rate": 48_000, "allow_rtp_participants": True,
            "audiolevel_ext": False})
        return number, handle

    def join(self, room, codec, port=0):
        """Lets a participant join a room; returns its handle, and Janus's port for it."""
        handle = self.attach()
        rtp = {"payload_type": CODECS[codec][0]}
        if port:
            rtp |= {"ip": "127.0.0.1", "port": port}
        answer = self.ask(handle, {"request": "join", "room": room, "codec": codec, "rtp": rtp})
        return handle, answer["rtp"]["port"]

    def leave(self, handle):
        self.request({"janus": "detach", "handle_id": handle})


def free_port():
    """An even port that is free, as is the next one."""
    while True:
        port = random.randrange(32_000, 60_000, 2)
        with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as first:
            first.bind(("127.0.0.1", port))
            with socket.socket(type=socket.SOCK_DGRAM) as second:
                second.bind(("127.0.0.1", port + 1))
                return port


def open_way(codec, port, janus):
    """Sends one packet of silence from a receiver's port."""
    payload_type, silence = CODECS[codec]
    with socket.socket(type=socket.SOCK_DGRAM) as opener:
        opener.bind(("127.0.0.1", port))
        opener.sendto(struct.pack("!BBHII", 0x80, payload_type, 1, 0, 1) + silence, ("127.0.0.1", janus))


def start(program, *arguments):
    log = open(FOLDER / "said", "ab")
    return subprocess.Popen([BIN / program, *map(str, arguments)], stdout=log, stderr=subprocess.STDOUT)


def sox(*arguments):
    subprocess.run(["sox", *map(str, arguments)], check=True)


def send(path, port, codec):
    # Janus mixes one packet every 20 ms, of any duration.
    codec = f"{codec}:frame=20" if codec == "opus" else codec
    return start("audiopipe", "rtp", "send", path, "--url", f"rtp://127.0.0.1:{port}", "--codec", codec)


def receive(path, port, codec):
    # A participant that has left gets no packets.
    return start(
        "audiopipe", "rtp", "receive", "--url", f"rtp://127.0.0.1:{port}", "--codec", codec, "-o", path, "--timeout", 1,
        "--overwrite")


def end(*programs):
    """Waits for programs; those that do not end are killed."""
    for program in programs:
        try:
            code = program.wait(20)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
            code = "no end after 20 s"
        if code:
            check(pathlib.Path(program.args[0]).name, False, f"exit code {code}; {' '.join(program.args[1:5])}")


def pair(session, codec):
    """One participant sends words, another one receives them."""
    number, _ = session.room()
    heard, port = FOLDER / f"{codec}.wav", free_port()
    listener, janus = session.join(number, codec, port)
    open_way(codec, port, janus)
    receiver = receive(heard, port, codec)
    speaker, janus = session.join(number, codec)
    time.sleep(0.5)
    end(send(FOLDER / "talk.wav", janus, codec))
    time.sleep(0.5)
    session.leave(speaker)
    session.leave(listener)
    end(receiver)
    hears(f"rtp receive hears rtp send, {codec}", FOLDER / "words.wav", heard)


def call(session):
    """A caller speaks twice; VoiceBot hears it and answers each time; a listener and CallRecorder hear both."""
    number, control = session.room()
    calls = FOLDER / f"calls{number}"
    calls.mkdir()
    port, record, listen = free_port(), free_port(), free_port()
    recorder = start("CallRecorder", f"127.0.0.1:{record}", calls, 14)
    handle, janus = session.join(number, "opus", port)
    said = open(FOLDER / "bot.txt", "wb")
    bot = subprocess.Popen(
        [BIN / "VoiceBot", f"127.0.0.1:{port}", PROMPT, FOLDER / "heard.raw", "14", f"127.0.0.1:{janus}"], stdout=said,
        stderr=subprocess.STDOUT)
    listener, janus = session.join(number, "opus", listen)
    open_way("opus", listen, janus)
    receiver = receive(FOLDER / "listener.wav", listen, "opus")
    session.ask(control, {"request": "rtp_forward", "room": number, "host": "127.0.0.1", "port": record, "ptype": 111})
    speaker, janus = session.join(number, "opus")
    time.sleep(0.5)
    end(send(FOLDER / "caller.wav", janus, "opus"))
    for participant in (handle, listener, speaker):
        session.leave(participant)
    end(bot, recorder, receiver)

    sox("-t", "raw", "-r", 16_000, "-e", "signed", "-b", 16, "-c", 1, FOLDER / "heard.raw", FOLDER / "heard.wav")
    hears("VoiceBot hears the caller's word", WORD, FOLDER / "heard.wav")
    text = (FOLDER / "bot.txt").read_text()
    check("VoiceBot finds one source, Opus", text.count("sourceBegan") == 1 and "opus/48000" in text,
          f"{text.count('sourceBegan')} sources")
    spoke = text.count("the caller speaks")
    check("VoiceBot hears the caller speak twice", spoke == 2, f"{spoke} times")
    hears("rtp receive hears the caller", WORD, FOLDER / "listener.wav")
    hears("rtp receive hears VoiceBot's prompt", PROMPT, FOLDER / "listener.wav")
    hears("CallRecorder hears the caller, forwarded", WORD, calls / "user.1.wav")
    hears("CallRecorder hears VoiceBot's prompt, forwarded", PROMPT, calls / "user.1.wav")


def run(name, scenario, *arguments):
    """Runs a scenario, and once more if a check fails: a busy machine interrupts sounds. Returns whether all are met."""
    for attempt in (1, 2):
        checks.clear()
        scenario(*arguments)
        missed = [f"{title}: {numbers}" for title, is_met, numbers in checks if not is_met]
        if not missed or attempt == 2 or time.monotonic() - BEGAN > PATIENCE:
            break
        print(f"again  {name}; {'; '.join(missed)}", flush=True)
    for title, is_met, numbers in checks:
        print(f"{'ok' if is_met else 'FAILED':6} {title}: {numbers}", flush=True)
    return not missed


def log_check():
    """Looks for warnings about packets; those of Janus's core are about its own sessions."""
    log = (FOLDER / "log").read_text(errors="replace")
    faults = [line for line in log.splitlines() if line.startswith(("[WARN]", "[ERR]")) and "audiobridge" in line]
    sys.stderr.write("".join(f"{line}\n" for line in faults))
    check("the AudioBridge logs no warning", not faults, f"{len(faults)} lines")


def main():
    sox(WORD, OTHER, FOLDER / "words.wav")
    sox(FOLDER / "words.wav", FOLDER / "talk.wav", "pad", 1, 1)
    sox(WORD, FOLDER / "word.wav", "pad", 1, 3)
    sox(FOLDER / "word.wav", FOLDER / "word.wav", FOLDER / "caller.wav")
    session = Session()
    met = [run(codec, pair, session, codec) for codec in CODECS]
    met += [run("VoiceBot", call, session), run("log", log_check)]
    if not all(met):
        sys.stderr.write((FOLDER / "said").read_text() + (FOLDER / "bot.txt").read_text())
        sys.exit(1)


main()
