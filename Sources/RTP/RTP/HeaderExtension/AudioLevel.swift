/// Loudness of a packet's sound, from which a relay detects the speaker without decoding.
///
/// Source: RFC 6464, section 3.
public struct AudioLevel: Hashable, Sendable, BitwiseCopyable {
  /// Name of the level in SDP's `extmap`.
  public static let uri = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"

  /// Whether the sender classifies the sound as a voice.
  public let hasVoice: Bool
  /// Level in dB below overload (the RMS of a square wave at full scale): 0 is the loudest, 127 silence.
  public let decibelsBelowOverload: UInt8

  /// Creates a level; more than 127 dB below overload is silence.
  @_noLocks
  public init(decibelsBelowOverload: UInt8, hasVoice: Bool) {
    self.hasVoice = hasVoice
    self.decibelsBelowOverload = decibelsBelowOverload < 127 ? decibelsBelowOverload : 127
  }

  /// Creates a level from the byte of a header extension.
  @_noLocks
  init(byte: UInt8) { self.init(decibelsBelowOverload: byte & 0x7F, hasVoice: byte & 0x80 != 0) }

  var byte: UInt8 { @_noLocks get { decibelsBelowOverload | (hasVoice ? 0x80 : 0) } }
}

extension RTPPacketView {
  /// Returns the audio level that the header extension carries under an identifier; nil without one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `extensionElement` if the extension is malformed before the level.
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
