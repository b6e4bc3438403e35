"""Joins a channel of `audiopipe relay` over WebRTC, publishes a WAV file, and records the other users to another one.

    channel_client.py ws://127.0.0.1:7000 room 7 talk.wav heard.wav --app demo

Needs aiortc and websockets from PyPI. Leaves at the end of its file, or with ^C or SIGTERM. The recording begins with the
join, and is in memory until the end. Documentation/Signalling.md describes the messages.
"""

import argparse
import array
import asyncio
import contextlib
import itertools
import json
import signal
import sys
import time
import wave

import aiortc
import websockets
from aiortc.contrib.media import MediaPlayer
from aiortc.mediastreams import MediaStreamError

RATE = 48_000
# Each section of the offer brings one user: so many are heard at a time.
SECTIONS = 8


async def hear(track, heard, began):
    """Adds the sound of a section to the stereo recording, until the section ends."""
    shift = None
    with contextlib.suppress(MediaStreamError):
        while frame := await track.recv():
            # The time of arrival places the first packet, and one after a jump; the timestamps place the others.
            now = int((time.monotonic() - began) * RATE)
            if shift is None or abs(now - frame.pts - shift) > RATE:
                shift = now - frame.pts
            first, samples = 2 * (frame.pts + shift), array.array("h", bytes(frame.planes[0])[:4 * frame.samples])
            heard.extend([0] * (first + len(samples) - len(heard)))
            for index, sample in enumerate(samples, first):
                heard[index] = max(-32_768, min(32_767, heard[index] + sample))


async def call(options, heard):
    """Stays in the channel until the end of the file, a signal, or an error."""
    sound, end, ids = MediaPlayer(options.input).audio, asyncio.Event(), itertools.count(1)
    if sound is None:
        raise ValueError(f"there is no sound in {options.input}")
    # The relay needs no STUN server. With another policy aiortc waits for candidates of the further sections.
    peer = aiortc.RTCPeerConnection(aiortc.RTCConfiguration([], bundlePolicy=aiortc.RTCBundlePolicy.MAX_COMPAT))
    for number in range(SECTIONS):
        peer.addTransceiver("audio" if number else sound, "recvonly" if number else "sendrecv")
    await peer.setLocalDescription(await peer.createOffer())
    async with websockets.connect(options.url, subprotocols=["audiopipe.v1"]) as relay:
        async def send(name, **fields):
            await relay.send(json.dumps({"type": name, "id": next(ids)} | fields))

        async def stay(seconds):
            # Without requests the relay ends the session after a while.
            ended = asyncio.create_task(end.wait())
            while not (await asyncio.wait([ended], timeout=seconds))[0]:
                await send("ping")
            await send("leave", channel=options.channel)

        sound.on("ended", end.set)
        for number in signal.SIGINT, signal.SIGTERM:
            asyncio.get_running_loop().add_signal_handler(number, end.set)
        await send("hello", version=1, token=options.token, app=options.app)
        try:
            async for text in relay:
                match json.loads(text):
                    case {"type": "welcome", "keepAliveMilliseconds": milliseconds}:
                        await send("join", channel=options.channel, uid=options.uid, role="broadcaster", publishes=True,
                                   sdp=peer.localDescription.sdp)
                        staying = asyncio.create_task(stay(milliseconds / 1_000))  # noqa: F841: keeps the task
                    case {"type": "joined", "uid": uid, "sdp": sdp, "users": users}:
                        print(f"joined as user {uid}; there: {[user['uid'] for user in users]}", flush=True)
                        began = time.monotonic()
                        peer.on("track", lambda track: hear(track, heard, began))
                        await peer.setRemoteDescription(aiortc.RTCSessionDescription(sdp, "answer"))
                    case {"type": "userJoined" | "userLeft" as name, "uid": uid}:
                        print(f"user {uid} {'joined' if name == 'userJoined' else 'left'}", flush=True)
                    case {"type": "failed", "sentence": sentence}:
                        raise ConnectionError(sentence)
                    case {"type": "left"}:
                        return
        except websockets.ConnectionClosed as error:
            raise ConnectionError(f"the connection to the relay is lost: {error}") from error
        finally:
            sound.remove_all_listeners()
            await peer.close()
        raise ConnectionError("the relay has ended the connection")


parser = argparse.ArgumentParser(description="Be a user of a channel: publish a WAV file, record the other users.")
for name in "url", "channel", "uid", "input", "output":
    parser.add_argument(name, type=int if name == "uid" else str)
right = parser.add_mutually_exclusive_group(required=True)
right.add_argument("--app", help="app that needs no token")
right.add_argument("--token", help="token for the channel and the user")
options, heard = parser.parse_args(), array.array("h")
try:
    with open(options.output, "wb") as output, wave.open(output) as file:
        file.setparams((2, 2, RATE, 0, "NONE", None))
        try:
            asyncio.run(call(options, heard))
        finally:
            file.writeframes(heard.tobytes())
except (OSError, ValueError, websockets.WebSocketException) as error:
    sys.exit(f"channel_client: {error}")
