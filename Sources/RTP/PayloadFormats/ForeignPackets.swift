/// Possible meanings of packets with other payload types, for messages.
package enum ForeignPackets {
  /// Returns a text such as "12 of type 63 (RED, RFC 2198), 3 of type 0 (PCMU)".
  package static func list(_ counts: [UInt8: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { type, count in "\(count) of type \(type)" + (name(of: type).map { " (\($0))" } ?? "") }
      .joined(separator: ", ")
  }

  /// Returns the name of a fixed type, or of one that programs have in common.
  ///
  /// Source: RFC 3551, section 6.
  private static func name(of type: UInt8) -> String? {
    switch type {
    case 0: "PCMU"
    case 3: "GSM"
    case 4: "G.723"
    case 8: "PCMA"
    case 9: "G.722"
    case 10, 11: "L16"
    case 13: "comfort noise"
    case 14: "MPEG audio"
    case 15: "G.728"
    case 18: "G.729"
    case 26: "JPEG"
    case 31: "H.261"
    case 32: "MPEG video"
    case 33: "MPEG transport stream"
    case 34: "H.263"
    case 63: "RED by custom, RFC 2198"
    case 101: "key presses by custom, RFC 4733"
    default: nil
    }
  }
}
