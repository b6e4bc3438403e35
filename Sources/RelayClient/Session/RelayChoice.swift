/// Relays that a relay has named in its place, the best first. Each failed attempt takes the next one.
struct RelayChoice {
  private let relays: [String]
  private var index = 0

  init(_ relays: [String] = []) { self.relays = relays }

  /// Relay of the next attempt; nil if none was named.
  var current: String? { relays.isEmpty ? nil : relays[index % relays.count] }

  mutating func advance() { index += 1 }
}
