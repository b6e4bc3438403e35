"""Measures the relay beside Janus's VideoRoom, with the same publisher and the same listeners; see janus beside it.

    publisher ─▶ relay or Janus ─▶ listeners      Opus in packets of 20 ms; each of them a WebRTC client, from aiortc

The two serve in turns, each with a server that was started for the turn. Processor time is that of all threads of the server,
from /proc, between two moments after all have joined. It is divided by the packets that listeners decrypted in that time, and
so includes what reports and checks of the connections take. Listeners count packets and send reports, but decode no sound.
"""

import argparse
import asyncio
import contextlib
import fractions
import itertools
import json
import multiprocessing
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import aioice.ice
import aiortc
import aiortc.rtcdtlstransport
import aiortc.rtcrtpreceiver
import av
import websockets

FRAME = 0.02
# As long as a packet at 32 kbit/s. It begins like one of 20 ms; neither server reads on.
PAYLOAD = b"\x78" + bytes(range(79))
# A relay takes 200 connections of an address at once, and 50 a second.
MOST, BETWEEN_JOINS = 190, 0.05
# In seconds: of a join, of a server's start, and of the rest behind the last join.
PATIENCE, START, REST = 15, 10, 1.5
# Seconds between messages that keep a session; a relay ends it after 30 s without.
STAY = 8
PUBLISHER, PROCESSES = 1, 2
# Share of the packets that must arrive.
LEAST = 0.99
# What every client of WebRTC has; left alone, each server could choose another one, of another cost.
CIPHER = b"SRTP_AES128_CM_SHA1_80"
JANUS = """general: {{
  plugins_folder = "{folder}/plugins"
  transports_folder = "{folder}/transports"
  events_folder = "{folder}/none"
  loggers_folder = "{folder}/none"
  debug_level = 3
  debug_colors = false
  event_loops = {loops}
}}
nat: {{ ice_enforce_list = "{address}" }}
"""


class Failed(Exception):
    """A sentence for the user."""


class Missing(Failed):
    """Without this there is nothing to measure."""


# Clients

def own_address():
    """Janus offers no address of loopback. Packets to another one of the machine take the same way, within the kernel."""
    try:
        with socket.socket(type=socket.SOCK_DGRAM) as probe:
            # Nothing is sent: this only chooses the address from which it would be.
            probe.connect(("198.51.100.1", 9))
            return probe.getsockname()[0]
    except OSError:
        raise Missing("Janus needs an IPv4 address beside that of loopback") from None


def adapt_aiortc(count):
    """Lets aiortc use one address and one cipher, and count packets in place of decoding them."""
    address, receiver = own_address(), aiortc.rtcrtpreceiver

    async def handle(self, packet, arrival_time_ms):
        # Reports are made from these.
        streams = self._RTCRtpReceiver__remote_streams
        if packet.ssrc not in streams:
            streams[packet.ssrc] = receiver.StreamStatistics(48_000)
        streams[packet.ssrc].add(packet)
        count()

    receiver.RTCRtpReceiver._handle_rtp_packet = handle
    receiver.decoder_worker = lambda *arguments: None
    aioice.ice.get_host_addresses = lambda **families: [address]
    profiles = aiortc.rtcdtlstransport.SRTP_PROFILES
    profiles[:] = [profile for profile in profiles if profile.openssl_profile == CIPHER]


class Voice(aiortc.MediaStreamTrack):
    """Packets that are encoded already, in real time."""

    kind = "audio"

    def __init__(self):
        super().__init__()
        self.began, self.sent = None, 0

    async def recv(self):
        self.began = self.began or time.monotonic()
        await asyncio.sleep(max(0, self.began + self.sent * FRAME - time.monotonic()))
        packet = av.Packet(PAYLOAD)
        packet.pts, packet.time_base = self.sent * 960, fractions.Fraction(1, 48_000)
        self.sent += 1
        return packet


class OurUsers:
    """Users of a relay; a connection each."""

    def __init__(self, address):
        self.address, self.tasks = address, []

    async def join(self, peer, uid, voice):
        peer.addTransceiver(voice or "audio", "sendonly" if voice else "recvonly")
        await peer.setLocalDescription(await peer.createOffer())
        relay = await websockets.connect(self.address, subprotocols=["audiopipe.v1"])
        await relay.send(json.dumps({"type": "hello", "id": 1, "version": 1, "app": "bench"}))
        await relay.send(json.dumps({
            "type": "join", "id": 2, "channel": "room", "uid": uid, "role": "broadcaster" if voice else "audience",
            "publishes": voice is not None, "sdp": peer.localDescription.sdp}))
        joined = asyncio.get_running_loop().create_future()
        self.tasks += [asyncio.create_task(self.read(relay, joined)), asyncio.create_task(self.stay(relay))]
        await peer.setRemoteDescription(aiortc.RTCSessionDescription(await joined, "answer"))

    async def read(self, relay, joined):
        async for text in relay:
            match json.loads(text):
                case {"type": "joined", "sdp": sdp}:
                    joined.set_result(sdp)
                case {"type": "failed", "sentence": sentence} if not joined.done():
                    joined.set_exception(Failed(sentence))

    async def stay(self, relay):
        for number in itertools.count(3):
            await asyncio.sleep(STAY)
            await relay.send(json.dumps({"type": "ping", "id": number}))


class JanusUsers:
    """Handles of one session of Janus's API, each a user."""

    def __init__(self, address):
        self.address, self.tasks, self.answers, self.session, self.count = address, [], {}, {}, itertools.count(1)

    async def request(self, **message):
        """Sends a request and returns its last answer."""
        transaction = str(next(self.count))
        waiting = self.answers[transaction] = asyncio.get_running_loop().create_future()
        await self.janus.send(json.dumps(message | self.session | {"transaction": transaction}))
        answer = await waiting
        error = answer.get("error") or answer.get("plugindata", {}).get("data", {}).get("error")
        if error:
            raise Failed(f"Janus: {error}")
        return answer

    async def read(self):
        async for text in self.janus:
            answer = json.loads(text)
            # Behind the acknowledgement of a message comes its answer. A keepalive has no other answer, and nobody waits for it.
            if answer["janus"] != "ack" and (waiting := self.answers.pop(answer.get("transaction"), None)):
                waiting.set_result(answer)

    async def stay(self):
        while True:
            await asyncio.sleep(STAY)
            await self.janus.send(json.dumps({"janus": "keepalive", "transaction": "stay"} | self.session))

    async def join(self, peer, uid, voice):
        if not self.session:
            self.janus = await websockets.connect(self.address, subprotocols=["janus-protocol"])
            self.tasks += [asyncio.create_task(self.read()), asyncio.create_task(self.stay())]
            self.session = {"session_id": (await self.request(janus="create"))["data"]["id"]}
        handle = (await self.request(janus="attach", plugin="janus.plugin.videoroom"))["data"]["id"]

        async def ask(local=None, **body):
            message = {"janus": "message", "handle_id": handle, "body": body}
            if local:
                message["jsep"] = {"type": local.type, "sdp": local.sdp}
            return (await self.request(**message)).get("jsep")

        if voice:
            peer.addTransceiver(voice, "sendonly")
            await peer.setLocalDescription(await peer.createOffer())
            await ask(request="join", ptype="publisher", room=1, id=uid)
            answer = await ask(peer.localDescription, request="publish", audiocodec="opus")
            await peer.setRemoteDescription(aiortc.RTCSessionDescription(answer["sdp"], "answer"))
        else:
            offer = await ask(request="join", ptype="subscriber", room=1, streams=[{"feed": PUBLISHER}])
            await peer.setRemoteDescription(aiortc.RTCSessionDescription(offer["sdp"], "offer"))
            await peer.setLocalDescription(await peer.createAnswer())
            await ask(peer.localDescription, request="start")


async def connect(users, uid, voice=None):
    """Joins, and waits until packets can pass."""
    peer = aiortc.RTCPeerConnection(aiortc.RTCConfiguration([], bundlePolicy=aiortc.RTCBundlePolicy.MAX_COMPAT))
    try:
        async with asyncio.timeout(PATIENCE):
            await users.join(peer, uid, voice)
            while peer.connectionState != "connected":
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise Failed(f"a client did not connect within {PATIENCE} s") from None
    return peer


def listen(kind, address, uids, received, joined):
    """A process of listeners, until it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def count():
        received.value += 1

    async def stay():
        adapt_aiortc(count)
        users, peers = kind(address), []
        for uid in uids:
            peers.append(await connect(users, uid))
            joined.value += 1
            await asyncio.sleep(BETWEEN_JOINS)
        while multiprocessing.parent_process().is_alive():
            await asyncio.sleep(1)

    try:
        asyncio.run(stay())
    except (OSError, Failed, websockets.WebSocketException) as error:
        sys.exit(f"janus: {error}")


# Servers

async def begin(command, log, address):
    """Starts a server; returns it with its address, which `address` finds."""
    with open(log, "wb") as file:
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    end = time.monotonic() + START
    while not (found := address()):
        if server.poll() is not None or time.monotonic() > end:
            stop(server)
            raise Missing(f"{command[0]} did not start: {''.join(log.read_text(errors='replace').splitlines()[-1:])}")
        await asyncio.sleep(0.05)
    return server, found


def stop(server):
    server.kill()
    server.wait()


async def begin_ours(options, folder):
    def address():
        text = (folder / "log").read_text()
        return "/metrics" in text and re.search(r"ws://\S+", text).group()

    return await begin([
        options.audiopipe, "relay", "--listen", "127.0.0.1:0", "--app-id", "bench", "--allow-app-id-only",
        "--metrics", "127.0.0.1:0", "--max-waiting-connections", "10000"], folder / "log", address)


async def begin_janus(options, folder):
    for name, chosen in (("plugins", "libjanus_videoroom.so"), ("transports", "libjanus_websockets.so")):
        (folder / name).mkdir()
        (folder / name / chosen).symlink_to(options.libraries / name / chosen)
    (folder / "none").mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "janus.jcfg").write_text(JANUS.format(folder=folder, address=own_address(), loops=options.event_loops))
    (folder / "janus.transport.websockets.jcfg").write_text(
        f'general: {{ json = "compact", ws = true, ws_ip = "127.0.0.1", ws_port = {port} }}\n')
    (folder / "janus.plugin.videoroom.jcfg").write_text('room-1: { publishers = 2, audiocodec = "opus" }\n')

    def address():
        with socket.socket() as probe:
            return not probe.connect_ex(("127.0.0.1", port)) and f"ws://127.0.0.1:{port}"

    return await begin(["janus", f"--interface={own_address()}", f"--configs-folder={folder}"], folder / "log", address)


SERVERS = {"audiopipe": (begin_ours, OurUsers), "Janus": (begin_janus, JanusUsers)}


# Measurement

def processor_nanoseconds(pid):
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        # A thread may end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += int((task / "schedstat").read_text().split()[0])
    return total


async def turn(name, options):
    """Returns nanoseconds of processor time, seconds, and packets that were sent and received."""
    start, kind = SERVERS[name]
    spawning, server, peer, processes = multiprocessing.get_context("spawn"), None, None, []
    with tempfile.TemporaryDirectory() as folder:
        try:
            server, address = await start(options, pathlib.Path(folder))
            users, voice = kind(address), Voice()
            peer = await connect(users, PUBLISHER, voice)
            counts = []
            for number in range(PROCESSES):
                counts.append((spawning.Value("q", lock=False), spawning.Value("q", lock=False)))
                uids = range(PUBLISHER + 1 + number, PUBLISHER + 1 + options.listeners, PROCESSES)
                processes.append(spawning.Process(target=listen, args=(kind, address, uids, *counts[-1]), daemon=True))
                processes[-1].start()
            while sum(joined.value for _, joined in counts) < options.listeners:
                if any(process.exitcode is not None for process in processes):
                    raise Failed(f"not all listeners of {name} have joined")
                await asyncio.sleep(0.1)
            await asyncio.sleep(REST)

            async def now():
                sent = voice.sent
                while voice.sent == sent:
                    await asyncio.sleep(FRAME / 20)
                # In the middle between two packets, so that none is on its way.
                await asyncio.sleep(FRAME / 2)
                received = sum(received.value for received, _ in counts)
                return processor_nanoseconds(server.pid), time.monotonic(), voice.sent, received

            before = await now()
            await asyncio.sleep(options.seconds)
            after = await now()
            if server.poll() is not None or any(process.exitcode is not None for process in processes):
                raise Failed(f"{name} or its listeners ended early")
            return [late - early for late, early in zip(after, before)]
        finally:
            for process in processes:
                process.kill()
                process.join()
            if peer:
                for task in users.tasks:
                    task.cancel()
                await peer.close()
            if server:
                stop(server)


async def compare(options):
    adapt_aiortc(lambda: None)
    found = {name: [] for name in SERVERS}
    for _ in range(options.turns):
        for name, turns in found.items():
            turns.append(await turn(name, options))
    print(f"{options.listeners} listeners, {options.turns} turns of {options.seconds:g} s\n")
    print("server      packets a second   µs a packet out   delivered")
    costs, failed = {}, []
    for name, turns in found.items():
        _, seconds, sent, received = map(sum, zip(*turns))
        if not received:
            raise Failed(f"no packet came from {name}")
        costs[name] = statistics.median(time / 1_000 / max(1, count) for time, _, _, count in turns)
        share = received / (sent * options.listeners)
        print(f"{name:10} {received / seconds:17.0f} {costs[name]:17.2f} {100 * share:9.1f} %")
        if share < LEAST:
            failed.append(name)
    print(f"\nJanus / ours: {costs['Janus'] / costs['audiopipe']:.1f}")
    if failed:
        raise Failed(f"less than {100 * LEAST:.0f} % arrived from {' and '.join(failed)}")


def main():
    parser = argparse.ArgumentParser(
        prog="Tests/Comparisons/janus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audiopipe", help="an optimised audiopipe")
    parser.add_argument("libraries", type=pathlib.Path, help="folder of Janus's plug-ins and transports")
    parser.add_argument("--listeners", type=int, default=30, metavar="N", help=f"1 to {MOST} (default: 30)")
    parser.add_argument("--turns", type=int, default=2, metavar="K", help="turns of each server (default: 2)")
    parser.add_argument("--seconds", type=float, default=8, metavar="S", help="length of a turn (default: 8; at least 4)")
    parser.add_argument("--event-loops", type=int, default=0, metavar="N",
                        help="threads that Janus's connections share (default: each has its own, as in Janus)")
    options = parser.parse_args()
    if not 1 <= options.listeners <= MOST or options.turns < 1 or options.seconds < 4:
        parser.error("a number is out of its range")
    signal.signal(signal.SIGTERM, lambda *arguments: signal.raise_signal(signal.SIGINT))
    try:
        asyncio.run(compare(options))
    except (OSError, Failed, websockets.WebSocketException) as error:
        print(f"janus: {error}", file=sys.stderr)
        sys.exit(2 if isinstance(error, Missing) else 1)
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main()
