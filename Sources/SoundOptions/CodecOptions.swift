package import CommandLineKit

/// Encoding and decoding within the pipeline: `--codec opus[:bitrate=..][:complexity=..][:frame=10|20][:fec]`.
package struct CodecOptions: Hashable, Sendable {
  package static let syntax = KeyValueSyntax(
    head: .choice(["opus"]),
    keys: [
      // RFC 6716, section 2.1.1: 6 to 510 kbit/s.
      KeyValueSyntax.Key(name: "bitrate", value: .integer(6_000...510_000)),
      KeyValueSyntax.Key(name: "complexity", value: .integer(0...10)),
      KeyValueSyntax.Key(name: "frame", value: .choice(["10", "20"])),
      KeyValueSyntax.Key(name: "fec", value: .none),
    ])

  /// Bits per second; nil if the encoder chooses.
  let bitRate: Int?
  /// Complexity, 0...10; nil if the encoder chooses.
  let complexity: Int?
  /// Duration of one packet, in milliseconds.
  package let packetMilliseconds: Int
  /// Whether each packet is sent once more, coarser, in the next one.
  let usesForwardErrorCorrection: Bool

  package init(_ value: KeyedValue) {
    bitRate = value.integer("bitrate")
    complexity = value.integer("complexity")
    usesForwardErrorCorrection = value.flag("fec")
    // With redundancy, a packet of 10 ms spends too many of its bits on the previous packet.
    packetMilliseconds = value.text("frame").flatMap { Int($0) } ?? (usesForwardErrorCorrection ? 20 : 10)
  }
}
