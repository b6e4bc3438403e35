"""Networks of users: namespaces whose cable is cut and whose address changes, an address translator, and a look at packets."""

import ctypes
import os
import selectors
import socket
import struct
import threading

from processes import run, start, wait_until

# The relay's own address, which every namespace reaches.
RELAY_HOST = "10.213.0.1"


class Namespace:
    """A network of one user: its own end of a cable, behind which the relay is."""

    def __init__(self, number):
        self.number = number
        self.near, self.far = f"near{number}", f"far{number}"
        self.holder = start(["unshare", "--net", "sleep", "300"])
        own = os.stat("/proc/self/ns/net").st_ino
        wait_until(
            lambda: os.stat(f"/proc/{self.holder.pid}/ns/net").st_ino != own, 5, "the network namespace did not appear")
        run("ip", "link", "add", self.near, "type", "veth", "peer", "name", self.far, "netns", self.holder.pid)
        run("ip", "address", "add", f"10.214.{number}.1/24", "dev", self.near)
        run("ip", "address", "add", f"10.215.{number}.1/24", "dev", self.near)
        run("ip", "link", "set", self.near, "up")
        self.ip("link", "set", "lo", "up")
        self.ip("address", "add", f"10.214.{number}.2/24", "dev", self.far)
        self.plug_in()

    @property
    def inside(self):
        """What starts a program in the namespace."""
        return ["nsenter", "-t", str(self.holder.pid), "-n"]

    def ip(self, *arguments):
        run(*self.inside, "ip", *arguments)

    def unplug(self):
        """Takes the cable out: the user's system knows of it, and has no route."""
        self.ip("link", "set", self.far, "down")

    def plug_in(self):
        self.ip("link", "set", self.far, "up")
        self.ip("route", "replace", "default", "via", f"10.214.{self.number}.1")

    def lose_packets(self):
        """Loses every packet in both directions without a sign: each end sends to a hardware address that is not there."""
        wrong = ["lladdr", "02:00:00:00:00:99", "nud", "permanent"]
        run("ip", "neighbour", "replace", f"10.214.{self.number}.2", *wrong, "dev", self.near)
        self.ip("neighbour", "replace", f"10.214.{self.number}.1", *wrong, "dev", self.far)

    def find_packets(self):
        run("ip", "neighbour", "delete", f"10.214.{self.number}.2", "dev", self.near)
        self.ip("neighbour", "delete", f"10.214.{self.number}.1", "dev", self.far)

    def change_address(self):
        """Replaces the address by one of another network; the old one is gone."""
        self.ip("address", "add", f"10.215.{self.number}.2/24", "dev", self.far)
        self.ip("route", "replace", "default", "via", f"10.215.{self.number}.1")
        self.ip("address", "delete", f"10.214.{self.number}.2/24", "dev", self.far)

    def remove(self):
        run("ip", "link", "delete", self.near)
        self.holder.kill()
        self.holder.wait()


class Translator:
    """Forwards datagrams to a relay, each user's from a port of its own, as an address translator does."""

    def __init__(self, outside, inside):
        self.inside = inside
        self.front = socket.socket(type=socket.SOCK_DGRAM)
        self.front.bind(outside)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.front, selectors.EVENT_READ)
        self.backs, self.guard = {}, threading.Lock()
        threading.Thread(target=self.forward, daemon=True).start()

    def forward(self):
        while True:
            for key, _ in self.selector.select():
                try:
                    if key.fileobj is self.front:
                        packet, user = self.front.recvfrom(2_048)
                        with self.guard:
                            back = self.backs.get(user) or self.add(user)
                        back.send(packet)
                    else:
                        self.front.sendto(key.fileobj.recv(2_048), key.data)
                except (OSError, ValueError):
                    pass

    def add(self, user):
        back = socket.socket(type=socket.SOCK_DGRAM)
        back.connect(self.inside)
        self.backs[user] = back
        self.selector.register(back, selectors.EVENT_READ, user)
        return back

    @property
    def users(self):
        return list(self.backs)

    def move(self, users):
        """Gives users other ports. Packets to the old ports are lost."""
        with self.guard:
            for user in users:
                back = self.backs.pop(user)
                self.selector.unregister(back)
                back.close()


class KeyWatch:
    """Notes the SSRCs of packets to a relay, and the ports of users that begin a DTLS handshake."""

    def __init__(self, port):
        self.ssrcs, self.handshakes, self.guard = set(), set(), threading.Lock()
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
        # UDP to the port: RTP, and ClientHello. (Instruction, jump if true, jump if false, operand)
        program = [
            (0x30, 0, 0, 9), (0x15, 0, 5, 17), (0xB1, 0, 0, 0), (0x48, 0, 0, 2), (0x15, 0, 2, port), (0x06, 0, 0, 128),
            (0x06, 0, 0, 0), (0x06, 0, 0, 0)]
        memory = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
        self.socket.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HP", len(program), ctypes.addressof(memory)))
        self.isOpen = True
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while self.isOpen:
            try:
                packet = self.socket.recv(128)
            except OSError:
                return
            header = 4 * (packet[0] & 15)
            data = packet[header + 8:]
            if len(data) < 14:
                continue
            with self.guard:
                if data[0] >> 6 == 2 and not 64 <= data[1] & 127 < 96:
                    self.ssrcs.add(int.from_bytes(data[8:12], "big"))
                elif data[0] == 22 and data[13] == 1:
                    self.handshakes.add(int.from_bytes(packet[header:header + 2], "big"))

    def take(self):
        """Returns what was noted since the last call."""
        with self.guard:
            noted = self.ssrcs, self.handshakes
            self.ssrcs, self.handshakes = set(), set()
        return noted

    def close(self):
        self.isOpen = False
        self.socket.close()
