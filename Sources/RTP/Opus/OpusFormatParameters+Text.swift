extension OpusFormatParameters {
  /// Creates parameters from the text behind the payload type in SDP's `fmtp`.
  ///
  /// Names are read in any case, unknown ones are ignored, and the last of a repeated name applies. An impossible value
  /// is ignored as if it were not given, since a preference must not break a call.
  public init(parsing text: some StringProtocol) {
    self.init()
    for parameter in text.split(separator: ";") {
      guard let equals = parameter.firstIndex(of: "=") else { continue }
      let name = parameter[..<equals].split(whereSeparator: \.isWhitespace).joined().lowercased()
      let value = parameter[parameter.index(after: equals)...].split(whereSeparator: \.isWhitespace).joined()
      guard let number = Int(value) else { continue }
      for field in Self.numbers where field.name == name && field.range.contains(number) {
        self[keyPath: field.path] = number
      }
      for field in Self.flags where field.name == name && (0...1).contains(number) {
        self[keyPath: field.path] = number == 1
      }
    }
  }

  /// Text behind the payload type in SDP's `fmtp`; empty if no parameter is given.
  public var text: String {
    let numbers = Self.numbers.compactMap { field in self[keyPath: field.path].map { "\(field.name)=\($0)" } }
    let flags = Self.flags.compactMap { field in self[keyPath: field.path].map { "\(field.name)=\($0 ? 1 : 0)" } }
    return (numbers + flags).joined(separator: ";")
  }

  private struct Number {
    let name: String
    let path: WritableKeyPath<OpusFormatParameters, Int?>
    let range: ClosedRange<Int>
  }

  private struct Flag {
    let name: String
    let path: WritableKeyPath<OpusFormatParameters, Bool?>
  }

  private static var numbers: [Number] {
    [
      Number(name: "maxplaybackrate", path: \.maximumPlaybackRate, range: 8000...48_000),
      Number(name: "sprop-maxcapturerate", path: \.captureRate, range: 8000...48_000),
      Number(name: "minptime", path: \.minimumPacketMilliseconds, range: 3...120),
      Number(name: "ptime", path: \.packetMilliseconds, range: 3...120),
      Number(name: "maxptime", path: \.maximumPacketMilliseconds, range: 3...120),
      Number(name: "maxaveragebitrate", path: \.maximumAverageBitrate, range: 6000...510_000),
    ]
  }

  private static var flags: [Flag] {
    [
      Flag(name: "stereo", path: \.prefersStereo), Flag(name: "sprop-stereo", path: \.sendsStereo),
      Flag(name: "cbr", path: \.prefersConstantBitrate),
      Flag(name: "useinbandfec", path: \.usesForwardErrorCorrection),
      Flag(name: "usedtx", path: \.usesDiscontinuousTransmission),
    ]
  }
}
