import CommandLineKit

/// Sound cards that ALSA's kernel part knows, and their streams.
struct SoundDevices: Hashable, Sendable {
  struct Card: Hashable, Sendable {
    let index: Int
    let id: String
    let name: String
  }

  struct Stream: Hashable, Sendable {
    let card: Int
    let device: Int
    let name: String
    let plays: Bool
    let captures: Bool
  }

  let cards: [Card]
  let streams: [Stream]

  /// Reads `/proc/asound`; without that folder the list is empty.
  init(folder: String = "/proc/asound") {
    self.init(
      cards: (try? readText(folder + "/cards").get()) ?? "",
      streams: (try? readText(folder + "/pcm").get()) ?? "")
  }

  /// Parses the text of `cards` and `pcm`; lines of any other form are skipped.
  init(cards: String, streams: String) {
    self.cards = cards.split(separator: "\n").compactMap(Self.card)
    self.streams = streams.split(separator: "\n").compactMap(Self.stream)
  }

  /// Advice for a machine without a sound card.
  var advice: String? {
    guard cards.isEmpty else { return nil }
    return "This machine has no sound card, and none is needed: files and network streams work without one."
  }

  /// Parses ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`; the line below it, with the address, has no bracket.
  private static func card(_ line: Substring) -> Card? {
    guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
      let index = Int(trimmed(line[..<open])), let dash = line[close...].firstRange(of: " - ")
    else { return nil }
    return Card(
      index: index, id: trimmed(line[line.index(after: open)..<close]),
      name: trimmed(line[dash.upperBound...]))
  }

  /// Parses `00-01: ALC892 Digital : ALC892 Digital : playback 1 : capture 1`.
  private static func stream(_ line: Substring) -> Stream? {
    let parts = line.split(separator: ":").map { trimmed($0) }
    guard parts.count >= 3 else { return nil }
    let numbers = parts[0].split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    return Stream(
      card: numbers[0], device: numbers[1], name: parts[2].isEmpty ? parts[1] : parts[2],
      plays: parts.contains { $0.hasPrefix("playback") }, captures: parts.contains { $0.hasPrefix("capture") }
    )
  }
}

/// Returns the text without spaces at its ends.
func trimmed(_ text: some StringProtocol) -> String {
  let start = text.drop { $0.isWhitespace }
  return String(String(start.reversed()).drop { $0.isWhitespace }.reversed())
}
