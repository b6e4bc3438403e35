#!/usr/bin/env python3
"""Computes the protected packets that SRTPVectorTests holds: Tests/Comparisons/srtp_vectors.py

AES comes from OpenSSL's command line; everything else is written out here from RFC 3711, RFC 6188 and RFC 7714, and checked
against their own vectors first.
"""

import hashlib
import hmac
import subprocess


def aes(key, blocks):
    command = ["openssl", "enc", f"-aes-{8 * len(key)}-ecb", "-K", key.hex(), "-nopad"]
    return subprocess.run(command, input=blocks, stdout=subprocess.PIPE, check=True).stdout


def number(value, size):
    return value.to_bytes(size, "big")


def xor(first, second):
    return bytes(a ^ b for a, b in zip(first, second))


def counter_mode(key, start, count):
    """`count` bytes of key stream; the 16 bytes of `start` count up as one number."""
    begin = int.from_bytes(start, "big")
    blocks = b"".join(number((begin + i) % 2**128, 16) for i in range((count + 15) // 16))
    return aes(key, blocks)[:count]


def derive(master_key, master_salt, label, count):
    """RFC 3711, section 4.3.1, with a key derivation rate of 0; shorter salts are filled up with zeros."""
    salt = int.from_bytes(master_salt.ljust(14, b"\0"), "big")
    return counter_mode(master_key, number((salt ^ label << 48) << 16, 16), count)


def ghash(h, data):
    """NIST SP 800-38D, section 6.4."""
    h, y = int.from_bytes(h, "big"), 0
    for offset in range(0, len(data), 16):
        v, z = h, 0
        x = y ^ int.from_bytes(data[offset:offset + 16].ljust(16, b"\0"), "big")
        for bit in range(127, -1, -1):
            if x >> bit & 1:
                z ^= v
            v = v >> 1 ^ (0xE1 << 120 if v & 1 else 0)
        y = z
    return number(y, 16)


def pad(data):
    return data + bytes(-len(data) % 16)


def gcm(key, iv, plain, associated):
    cipher = xor(plain, counter_mode(key, iv + number(2, 4), len(plain)))
    lengths = number(8 * len(associated), 8) + number(8 * len(cipher), 8)
    s = ghash(aes(key, bytes(16)), pad(associated) + pad(cipher) + lengths)
    return cipher + xor(s, aes(key, iv + number(1, 4)))


def gcm_rtp(key, salt, packet, header, roc):
    iv = xor(b"\0\0" + packet[8:12] + number(roc, 4) + packet[2:4], salt)
    return packet[:header] + gcm(key, iv, packet[header:], packet[:header])


def gcm_rtcp(key, salt, packet, index):
    word = number(1 << 31 | index, 4)
    iv = xor(b"\0\0" + packet[4:8] + b"\0\0" + number(index, 4), salt)
    return packet[:8] + gcm(key, iv, packet[8:], packet[:8] + word) + word


def cm(key, salt, ssrc, index, plain):
    start = int.from_bytes(salt, "big") << 16 ^ int.from_bytes(ssrc, "big") << 64 ^ index << 16
    return xor(plain, counter_mode(key, number(start, 16), len(plain)))


def cm_rtp(key, salt, auth, packet, header, roc):
    index = roc << 16 | int.from_bytes(packet[2:4], "big")
    out = packet[:header] + cm(key, salt, packet[8:12], index, packet[header:])
    return out + hmac.new(auth, out + number(roc, 4), hashlib.sha1).digest()[:10]


def cm_rtcp(key, salt, auth, packet, index):
    out = packet[:8] + cm(key, salt, packet[4:8], index, packet[8:]) + number(1 << 31 | index, 4)
    return out + hmac.new(auth, out, hashlib.sha1).digest()[:10]


def check():
    # RFC 3711, B.2: key stream.
    key = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3C")
    start = bytes.fromhex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000")
    assert counter_mode(key, start, 48).hex().upper() == (
        "E03EAD0935C95E80E166B16DD92B4EB4" "D23513162B02D0F72A43A2FE4A5F97AB" "41E95B3BB0A2E8DD477901E4FCA894C0")
    # RFC 3711, B.3: key derivation.
    key, salt = bytes.fromhex("E1F97A0D3E018BE0D64FA32C06DE4139"), bytes.fromhex("0EC675AD498AFEEBB6960B3AABE6")
    assert derive(key, salt, 0, 16).hex().upper() == "C61E7A93744F39EE10734AFE3FF7A087"
    assert derive(key, salt, 2, 14).hex().upper() == "30CBBC08863D8C85D49DB34A9AE1"
    assert derive(key, salt, 1, 20).hex().upper() == "CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"
    # RFC 7714, 16.1.1 and 16.2.1: GCM under session keys.
    packet = bytes.fromhex("8040f17b8041f8d35501a0b2") + b"Gallia est omnis divisa in partes tres"
    salt = bytes.fromhex("517569642070726f2071756f")
    assert gcm_rtp(bytes(range(16)), salt, packet, 12, 0).hex() == (
        "8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833"
        "899d7f27beb16a9152cf765ee4390cce")
    assert gcm_rtp(bytes(range(32)), salt, packet, 12, 0).hex() == (
        "8040f17b8041f8d35501a0b232b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b"
        "7aa3db36dfffd6b0f9bb7878d7a76c13")


check()
PLAIN = bytes.fromhex("806f7ffe0000000011223344") + b"Gallia est omnis divisa in partes tres"
# With a source, an extension of one word, and after the wrap of the sequence numbers.
EXTENDED = bytes.fromhex("916f00010000078011223344 0a0b0c0d bede0001 10aa0000") + b"Gallia"
REPORT = bytes.fromhex("80c9000111223344 81ca000311223344 0103616263000000")
for name, key_size, salt_size in [("AES_CM", 16, 14), ("GCM128", 16, 12), ("GCM256", 32, 12)]:
    key = bytes.fromhex("E1F97A0D3E018BE0D64FA32C06DE4139").ljust(key_size, b"\x5A")
    salt = bytes.fromhex("0EC675AD498AFEEBB6960B3AABE6")[:salt_size]
    rtp = [derive(key, salt, label, size) for label, size in [(0, key_size), (2, salt_size), (1, 20)]]
    rtcp = [derive(key, salt, label, size) for label, size in [(3, key_size), (5, salt_size), (4, 20)]]
    protect, protect_rtcp = (cm_rtp, cm_rtcp) if name == "AES_CM" else (gcm_rtp, gcm_rtcp)
    parts = 3 if name == "AES_CM" else 2
    print(name, "key", (key + salt).hex())
    print(name, "rtp", protect(*rtp[:parts], PLAIN, 12, 0).hex())
    print(name, "extended", protect(*rtp[:parts], EXTENDED, 24, 1).hex())
    for index in [0, 1, 2]:
        print(name, "rtcp", index, protect_rtcp(*rtcp[:parts], REPORT, index).hex())
