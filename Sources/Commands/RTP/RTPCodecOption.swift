import CommandLineKit
import Engine
import MediaStreams
import OpusCodec
import RTP
import SoundOptions

/// Value of `rtp --codec`: `opus[:bitrate=..]`, `pcmu`, `pcma` or `l16[:rate=..][:channels=..]`.
struct RTPCodecOption: Sendable {
  static let syntax: KeyValueSyntax = {
    let rates = RTPPayloadFormat.linearRates.map { "\($0)" }
    return KeyValueSyntax(
      head: .choice(["opus", "pcmu", "pcma", "l16"]),
      keys: SimulateDeclaration.opusSyntax.keys + [
        KeyValueSyntax.Key(name: "rate", value: .choice(rates)),
        KeyValueSyntax.Key(name: "channels", value: .choice(["1", "2"])),
      ])
  }()

  /// Encoding of the payloads.
  let encoding: RTPPayloadFormat.Encoding
  /// Settings of Opus; the defaults for other codecs.
  let opus: OpusOptions
  /// Clock rate of L16, in Hz.
  private let linearRate: Int
  /// Channels of L16, to receive.
  private let linearChannels: Int
  /// Duration of the sound in a packet; nil: the codec's own.
  private let duration: OpusOptions.PacketDuration?

  /// Creates Opus with its defaults.
  init() {
    self.init(encoding: .opus, linearRate: 48_000, linearChannels: 1)
  }

  /// Creates the codec of a format to receive.
  init(_ format: RTPPayloadFormat) {
    self.init(encoding: format.encoding, linearRate: format.clockRate, linearChannels: format.channelCount)
  }

  private init(encoding: RTPPayloadFormat.Encoding, linearRate: Int, linearChannels: Int) {
    self.encoding = encoding
    self.linearRate = linearRate
    self.linearChannels = linearChannels
    opus = OpusOptions(nil)
    duration = nil
  }

  /// Reads the value of `--codec`.
  ///
  /// - Throws: exit code 64 for a key that the codec does not have in this direction.
  init(_ value: KeyedValue, sends: Bool) throws(CommandFailure) {
    let encoding: RTPPayloadFormat.Encoding =
      switch value.head {
      case "pcmu": .pcmu
      case "pcma": .pcma
      case "l16": .linear16
      default: .opus
      }
    var keys: [String] = sends ? ["frame"] : []
    if encoding == .opus, sends { keys += ["bitrate", "complexity", "fec", "dtx"] }
    if encoding == .linear16 { keys += sends ? ["rate"] : ["rate", "channels"] }
    for key in value.values.keys.sorted() where !keys.contains(key) {
      let ending = keys.isEmpty ? "leave it out" : "its keys are \(keys.sorted().joined(separator: ", "))"
      throw .usage("the codec '\(value.head)' has no key '\(key)' in rtp \(sends ? "send" : "receive"); \(ending)")
    }
    self.encoding = encoding
    linearRate = value.text("rate").flatMap { Int($0) } ?? 48_000
    linearChannels = value.text("channels").flatMap { Int($0) } ?? 1
    duration = value.text("frame").map { $0 == "10" ? .milliseconds10 : .milliseconds20 }
    var options = OpusOptions(encoding == .opus ? CodecOptions(value) : nil)
    options.discontinuousTransmission = value.flag("dtx")
    opus = options
  }

  /// Codec of a sender.
  var sender: SenderCodec {
    switch encoding {
    case .opus: .opus(opus)
    case .pcmu: .pcmu(duration ?? .milliseconds20)
    case .pcma: .pcma(duration ?? .milliseconds20)
    case .linear16: .linear16(sampleRate: linearRate, duration ?? .milliseconds10)
    }
  }

  /// Codec of a receiver.
  var receiver: ReceiverCodec {
    switch encoding {
    case .opus: .opus
    case .pcmu: .pcmu
    case .pcma: .pcma
    case .linear16: .linear16(sampleRate: linearRate, channelCount: linearChannels)
    }
  }
}

extension RTPPayloadFormat.Encoding {
  /// Name of the encoding in messages.
  var title: String { self == .opus ? "Opus" : name }
}
