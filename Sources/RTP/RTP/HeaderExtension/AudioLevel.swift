/// How loud the sound of a packet is, so that a relay can tell who speaks without decoding.
///
/// Source: RFC 6464, section 3.
public struct AudioLevel: Hashable, Sendable, BitwiseCopyable {
  /// The name by which SDP's `extmap` asks for it.
  public static let uri = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"

  /// Whether the sender takes the sound for a voice.
  public let hasVoice: Bool
  /// dB below overload (the RMS of a square wave at full scale): 0 is the loudest, 127 silence.
  public let decibelsBelowOverload: UInt8

  /// A level; more than 127 dB below overload is silence.
  @_noLocks
  public init(decibelsBelowOverload: UInt8, hasVoice: Bool) {
    self.hasVoice = hasVoice
    self.decibelsBelowOverload = decibelsBelowOverload < 127 ? decibelsBelowOverload : 127
  }

  /// The level in the byte of a header extension.
  @_noLocks
  init(byte: UInt8) { self.init(decibelsBelowOverload: byte & 0x7F, hasVoice: byte & 0x80 != 0) }

  var byte: UInt8 { @_noLocks get { decibelsBelowOverload | (hasVoice ? 0x80 : 0) } }
}

extension RTPPacketView {
  /// The audio level that the header extension carries under an identifier; nil = none.
  ///
  /// Real-time: wait-free. Throws: `extensionElement`, if the extension breaks before it is found.
  @_noLocks
  public func audioLevel(identifier: UInt8, in bytes: UnsafeRawBufferPointer) throws(RTPError) -> AudioLevel? {
    var reader = HeaderExtensionReader(self, in: bytes)
    while let element = try reader.next() {
      guard element.identifier == identifier else { continue }
      guard element.byteCount > 0, let base = bytes.baseAddress else { return nil }
      return AudioLevel(byte: byte(base, element.offset))
    }
    return nil
  }
}
