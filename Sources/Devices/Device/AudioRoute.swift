/// Kind of the device that plays. Linux does not state it: it is read from the names of the open devices.
public enum AudioRoute: Int, Hashable, Sendable, CaseIterable {
  /// Nothing plays.
  case `default` = -1
  /// Headphones with a microphone.
  case headset = 0
  /// The part of a telephone that is held to an ear.
  case earpiece = 1
  /// Headphones, while another device captures, or none.
  case headsetWithoutMicrophone = 2
  /// A loudspeaker with a microphone, for a table.
  case speakerphone = 3
  /// A loudspeaker.
  case loudspeaker = 4
  /// Any Bluetooth device.
  case bluetooth = 5

  /// The route of the open devices.
  ///
  /// - Parameters:
  ///   - playout: Device that plays; nil if none is open.
  ///   - capture: Device that captures; nil if none is open.
  public init(playout: AudioDevice?, capture: AudioDevice? = nil) {
    guard let playout else {
      self = .default
      return
    }
    let words = "\(playout.id) \(playout.name)".lowercased()
    let match = Self.names.first { $0.names.contains { words.contains($0) } }
    self = match?.route ?? .loudspeaker
    if self == .headsetWithoutMicrophone, let capture, Self.card(of: capture) == Self.card(of: playout) {
      self = .headset
    }
  }

  /// Parts of names, in the order in which they decide.
  private static let names: [(route: AudioRoute, names: [String])] = [
    (.bluetooth, ["bluetooth", "bluealsa", "bluez", "a2dp"]),
    (.speakerphone, ["speakerphone", "speak ", "conference"]),
    (.headset, ["headset", "jabra", "plantronics"]),
    (.headsetWithoutMicrophone, ["headphone", "earphone", "earbud"]),
    (.earpiece, ["earpiece", "handset"]),
  ]

  /// The sound card in an ALSA name such as `plughw:CARD=PCH,DEV=0`; otherwise the whole name.
  private static func card(of device: AudioDevice) -> Substring {
    guard let colon = device.id.firstIndex(of: ":") else { return device.id[...] }
    let card = device.id[device.id.index(after: colon)...].prefix { $0 != "," }
    return card.hasPrefix("CARD=") ? card.dropFirst(5) : card
  }
}
