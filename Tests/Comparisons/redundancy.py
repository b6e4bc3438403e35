"""Scores Opus's FEC beside whole copies of packets (RED); see redundancy beside it."""

import ctypes
import multiprocessing
import random
import sys

import numpy
from pesq import pesq
from receiver import RATE, items
from scipy.signal import resample_poly

PACKET = 960
BITRATE = 32_000
# Bits a second that RED's own header takes: five bytes a packet (RFC 2198, section 3).
RED_HEADER = 8 * 5 * RATE // PACKET
LOSSES = [5, 10, 20]
# Of PESQ.
NOTICEABLE = 0.1
SET_BITRATE, SET_COMPLEXITY, SET_INBAND_FEC, SET_PACKET_LOSS = 4002, 4010, 4012, 4014
VOIP = 2048

opus = ctypes.CDLL("libopus.so.0")
opus.opus_encoder_create.restype = ctypes.c_void_p
opus.opus_decoder_create.restype = ctypes.c_void_p


def encode(sound, bitrate, expected_loss):
    """Packets of 20 ms; with FEC where a loss is expected."""
    error, memory = ctypes.c_int(), (ctypes.c_ubyte * 1_500)()
    encoder = ctypes.c_void_p(opus.opus_encoder_create(RATE, 1, VOIP, ctypes.byref(error)))
    settings = {SET_BITRATE: bitrate, SET_COMPLEXITY: 9}
    if expected_loss:
        settings |= {SET_INBAND_FEC: 1, SET_PACKET_LOSS: expected_loss}
    for request, value in settings.items():
        opus.opus_encoder_ctl(encoder, request, ctypes.c_int(value))
    packets = []
    for start in range(0, len(sound), PACKET):
        frame = numpy.ascontiguousarray(sound[start:start + PACKET], "f4")
        count = opus.opus_encode_float(encoder, frame.ctypes.data_as(ctypes.c_void_p), PACKET, memory, 1_500)
        packets.append(bytes(memory[:count]))
    opus.opus_encoder_destroy(encoder)
    return packets


def decode(packets, arrived, has_copies):
    """What is heard where a packet that is missing is made of the next one, if that has come."""
    error, frame, heard = ctypes.c_int(), numpy.zeros(PACKET, "f4"), []
    decoder = ctypes.c_void_p(opus.opus_decoder_create(RATE, 1, ctypes.byref(error)))
    target = frame.ctypes.data_as(ctypes.c_void_p)
    for index, packet in enumerate(packets):
        next_one = index + 1 < len(packets) and arrived[index + 1]
        if arrived[index] or next_one and has_copies:
            opus.opus_decode_float(decoder, packet, len(packet), target, PACKET, 0)
        elif next_one:
            following = packets[index + 1]
            opus.opus_decode_float(decoder, following, len(following), target, PACKET, 1)
        else:
            opus.opus_decode_float(decoder, None, 0, target, PACKET, 0)
        heard.append(frame.copy())
    opus.opus_decoder_destroy(decoder)
    return numpy.concatenate(heard)


def score(job):
    sound, loss, has_copies, seed = job
    if has_copies:
        # A twentieth less is asked for, as without FEC Opus takes so much more: both then take the same.
        packets = encode(sound, (BITRATE - RED_HEADER) * 19 // 40, 0)
        bits = 16 * sum(map(len, packets)) + RED_HEADER / RATE * len(sound)
    else:
        packets = encode(sound, BITRATE, min(15, loss))
        bits = 8 * sum(map(len, packets))
    chance = random.Random(seed)
    heard = decode(packets, [chance.random() >= loss / 100 for _ in packets], has_copies)
    original, degraded = (resample_poly(sound_, 1, 3).astype("f4") for sound_ in (sound, heard))
    return loss, has_copies, pesq(16_000, original, degraded, "wb"), bits / len(sound) * RATE / 1_000


def main():
    seeds = int(sys.argv[1])
    jobs = [
        (sound, loss, has_copies, 1_000 * seed + number)
        for loss in LOSSES for has_copies in (False, True) for seed in range(seeds)
        for number, sound in enumerate(items())]
    with multiprocessing.Pool() as pool:
        scores = pool.map(score, jobs)
    failed = False
    print("lost   FEC               RED")
    for loss in LOSSES:
        means = [numpy.mean([[s, b] for l, c, s, b in scores if (l, c) == (loss, copies)], 0) for copies in (False, True)]
        print(f"{loss:3} %" + "".join(f"  {s:6.3f} {b:5.1f} kbit/s" for s, b in means))
        failed |= loss <= 10 and means[1][0] > means[0][0] + NOTICEABLE
    if failed:
        sys.exit("redundancy: copies are the better choice where little is lost")


if __name__ == "__main__":
    main()
