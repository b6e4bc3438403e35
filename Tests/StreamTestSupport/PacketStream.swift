package import TestSupport

/// Packets of one sender on the way through a network that delays, reorders and loses them as a seed says.
package struct PacketStream {
  /// How long a packet is on its way, in milliseconds.
  package typealias Delay = (inout SeededGenerator) -> Double

  package var packets: [TimedPacket] = []

  /// Sends `payloads`, one every `packetMilliseconds`, the first at `startMilliseconds`.
  package init(
    _ payloads: [[UInt8]], packetMilliseconds: Int, startMilliseconds: Double = 0, seed: UInt64 = 1, loss: Double = 0,
    firstSequenceNumber: UInt16 = 0, firstTimestamp: UInt32 = 0, delay: Delay = { _ in 0 }
  ) throws {
    var random = SeededGenerator(seed: seed)
    for (index, payload) in payloads.enumerated() {
      let isLost = Double.random(in: 0..<1, using: &random) < loss
      let sent = startMilliseconds + Double(index * packetMilliseconds)
      let arrival = sent + delay(&random)
      if isLost { continue }
      packets.append(
        try TimedPacket(
          arrival: Int(arrival * 1e6), payload: payload, sequenceNumber: firstSequenceNumber &+ UInt16(index & 0xFFFF),
          timestamp: firstTimestamp &+ UInt32(index * packetMilliseconds * 48)))
    }
    packets = packets.enumerated().sorted { ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset) }.map(
      \.element)
  }

  /// Packets of the `null` codec.
  package static func null(
    seconds: Int, packetMilliseconds: Int = 20, seed: UInt64 = 1, loss: Double = 0, delay: Delay = { _ in 0 }
  ) throws -> PacketStream {
    let payloads = (0..<(seconds * 1_000 / packetMilliseconds)).map {
      TimedPacket.null($0, samples: packetMilliseconds * 48)
    }
    var random = SeededGenerator(seed: seed &+ 1_000)
    // Sender and receiver do not begin their frames at the same moment.
    let start = Double.random(in: 0..<10, using: &random)
    return try PacketStream(
      payloads, packetMilliseconds: packetMilliseconds, startMilliseconds: start, seed: seed, loss: loss, delay: delay)
  }
}
