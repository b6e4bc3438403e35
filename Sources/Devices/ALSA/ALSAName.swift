/// Name of a PCM of ALSA, such as `plughw:CARD=PCH,DEV=0`.
struct ALSAName: Hashable, Sendable {
  /// Role of the PCM in a list of devices.
  enum Kind: Hashable, Sendable {
    /// PCM of programs that name none.
    case standard
    /// Server that mixes the sound of programs.
    case server
    /// Device of a card.
    case hardware
    /// Plugin that converts or shares the sound of another PCM.
    case converter
    /// PCM that the user has defined.
    case custom
  }

  private static let servers: Set = ["pulse", "pipewire"]
  // JACK has fixed devices of its own, and a probe would start its server.
  private static let converters: Set = [
    "a52", "asym", "center_lfe", "copy", "dmix", "dsnoop", "dsp0", "file", "front", "hdmi", "iec958", "jack", "lavrate",
    "modem", "multi", "null", "oss", "phoneline", "plug", "plughw", "rate", "rear", "route", "samplerate", "share",
    "shm", "side", "softvol", "speex", "speexrate", "spdif", "sysdefault", "tee", "upmix", "usbstream", "vdownmix",
  ]

  /// Whole name.
  let text: String

  init(_ text: String) { self.text = text }

  /// Name of the device `device` of the card with the identifier `card`.
  init(card: String, device: Int) { text = "hw:CARD=\(card),DEV=\(device)" }

  /// Name before the arguments.
  var base: Substring { text.prefix { $0 != ":" } }

  /// Role of the PCM.
  var kind: Kind {
    let base = String(base)
    if text == "default" { return .standard }
    if base == "hw" { return .hardware }
    if Self.servers.contains(text) { return .server }
    // A default of one card is a converter of it.
    if base == "default" || base.hasPrefix("surround") || Self.converters.contains(base) { return .converter }
    return .custom
  }
}
