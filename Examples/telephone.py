"""A telephone's wire, for a program that only sends: telephone.py PORT BOT_PORT ANSWER

    ffmpeg ─▶ PORT ─▶ BOT_PORT ─▶ payloads in ANSWER

Packets that come to PORT go on to BOT_PORT, from one address. The payloads of packets that come back to it are written to
ANSWER, one after the other: a file of A-law or mu-law, without a header. Ends 2 s after the last packet.
"""

import contextlib
import select
import socket
import sys

LONGEST = 2_048
HEADER = 12

call, wire = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
call.bind(("127.0.0.1", int(sys.argv[1])))
wire.connect(("127.0.0.1", int(sys.argv[2])))
patience = 10
with open(sys.argv[3], "wb") as answer:
    while ready := select.select([call, wire], [], [], patience)[0]:
        patience = 2
        # The bot may not listen yet, or no longer.
        with contextlib.suppress(ConnectionRefusedError):
            if call in ready:
                wire.send(call.recv(LONGEST))
            if wire in ready:
                answer.write(wire.recv(LONGEST)[HEADER:])
